/** Child of the kill test: saves calls as fast as it can and says which were acknowledged, until it is killed. */
import { writeSync } from 'node:fs'
import { SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { defaultSettings } from '../../../src/main/domain/settings.ts'
import type { Clock } from '../../../src/main/ports.ts'
import { openCall, sampleCall } from './sample-calls.ts'

const [folder = '', startedText = ''] = process.argv.slice(2)
const clock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}
const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
const calls = new SqliteCallStore({ path: `${folder}/calls.db`, clock, limits, work: null })
const config = new SqliteConfigStore({ path: `${folder}/pointsman.db`, clock })

/** Synchronous, so that nothing acknowledged can be lost between this process and its parent. */
const tell = (line: string): void => void writeSync(1, `${line}\n`)

const opened = sampleCall(Number(calls.nextId(Number(startedText))))
calls.begin(openCall(opened))
let port = config.settings().proxyPort

function oneCall(): void {
  const id = Number(calls.nextId(Number(startedText)))
  calls.finish(sampleCall(id), () => {
    tell(`call ${id}`)
    setImmediate(oneCall)
  })
}

function oneSetting(): void {
  port += 1
  config.saveSettings({ ...defaultSettings, proxyPort: port })
  tell(`port ${port}`)
  setImmediate(oneSetting)
}

for (let n = 0; n < 16; n += 1) oneCall()
oneSetting()
