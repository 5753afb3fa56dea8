/** The built program as tests start it: the same program behind the guard that keeps it on this machine. */
import './loopback-only.ts'

const { headless } = await import('../../scripts/build-if-stale.mjs')
await import(headless)
