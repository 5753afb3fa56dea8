/** What the program is doing: the mirror of `app.snapshot`. */
import { client } from '../bridge/client.ts'
import { mirror } from './mirror.ts'

export const appMirror = mirror(['app', 'accounts'], () => client.app.snapshot({}))
