/**
 * Runs in a network namespace of its own, where the network can be taken away (it has 10.71.0.2 at first): does one scenario and prints what happened
 * as one line of JSON. Started by `network-change.test.ts`.
 */
import { execFileSync } from 'node:child_process'
import { message } from './asks.ts'
import { fadingRelay } from './fading-relay.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import { startRig, until } from './start-core.ts'

const ip = (...args: readonly string[]): void => void execFileSync('ip', args)

const scenarios: Readonly<Record<string, () => Promise<object>>> = { change, none }
const found = await scenarios[process.argv[2] ?? '']?.()
process.stdout.write(`${JSON.stringify(found)}\n`)

/** One call, another network, one more call (F23). */
async function change(): Promise<object> {
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
  const heard = (): true | null => (program.log().includes('"event":"network-changed"') ? true : null)
  const noticed = await until(heard, 'noticed').catch(() => false)
  const connections = relay.taken()
  const after = await callNamed(program, key, 'after')
  await program.stop()
  await relay.close()
  await practice.close()
  return { statuses: [before.status, after.status], noticed, fresh: relay.taken() > connections }
}

/** No network at all: by name, by address (F1); what can be reached goes on. */
async function none(): Promise<object> {
  const rig = await startRig({ sources: ['openai-key'] })
  ip('addr', 'del', '10.71.0.2/24', 'dev', 'wlan')
  const codes: (string | undefined)[] = []
  for (const [n, baseUrl] of ['https://nowhere.invalid', 'https://10.71.0.2'].entries()) {
    const far = await rig.add('anthropic-key', { baseUrl, id: `far-${n}` as never })
    const answer = await rig.call(`/${far.id}/v1/messages`, message())
    codes.push(`${answer.status} ${answer.headers['x-pointsman-error']}`)
  }
  const near = await rig.call('/openai-key/v1/responses', { model: 'gpt-5.5', input: 'hi' })
  await rig.close()
  return { codes, near: near.status }
}
