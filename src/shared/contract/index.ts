/** The control plane's one contract: every transport serves it, the window and the command line call it. */
import { app } from './app.ts'
import { vault } from './vault.ts'

export const contract = { app, vault }

export type Contract = typeof contract
