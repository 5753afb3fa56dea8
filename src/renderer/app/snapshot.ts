/** The shape of `app.snapshot`, as the contract says it. */
import type { Client } from '../bridge/client.ts'

export type AppSnapshot = Awaited<ReturnType<Client['app']['snapshot']>>
