/**
 * Runs in a network namespace of its own: one call, another network, one more call. Prints what happened as one line of
 * JSON. Started by its test.
 */
import { execFileSync } from 'node:child_process'
import { fadingRelay } from './fading-relay.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import { until } from './start-core.ts'

const ip = (...args: readonly string[]): void => void execFileSync('ip', args)

ip('link', 'set', 'lo', 'up')
ip('link', 'add', 'wlan', 'type', 'veth', 'peer', 'name', 'far')
ip('addr', 'add', '10.71.0.2/24', 'dev', 'wlan')
ip('link', 'set', 'far', 'up')
ip('link', 'set', 'wlan', 'up')

const practice = await openPractice()
const relay = await fadingRelay(practice.hosts.codex)
const program = await startOver(practice, { environment: { POINTSMAN_UPSTREAM_CODEX: relay.origin } })
await addCodex(program, practice)
const key = program.key()
const before = await callNamed(program, key, 'before')
// The old connection is dead and says nothing; the machine has another address.
relay.fade()
ip('addr', 'del', '10.71.0.2/24', 'dev', 'wlan')
ip('addr', 'add', '10.72.0.9/24', 'dev', 'wlan')
const noticed = await until(() => (program.log().includes('"event":"network-changed"') ? true : null), 'noticed').catch(
  () => false,
)
const connections = relay.taken()
const after = await callNamed(program, key, 'after')
process.stdout.write(
  `${JSON.stringify({ statuses: [before.status, after.status], noticed, fresh: relay.taken() > connections })}\n`,
)
await program.stop()
await relay.close()
await practice.close()
