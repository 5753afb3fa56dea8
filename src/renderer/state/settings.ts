/** What the person has set: the mirror of `settings.get`. */
import { type Client, client } from '../bridge/client.ts'
import { mirror } from './mirror.ts'

export type Settings = Awaited<ReturnType<Client['settings']['get']>>

export const settingsMirror = mirror(['app'], () => client.settings.get({}))
