/**
 * `strict` under faults of our own: whatever throws, wherever it throws, at the first try or between two, no other
 * account sees the request, nor its retry (access.md, "Route policy"; EXT). Each sabotaged function is otherwise real.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { codexCli, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

/** Which function throws, from which of its calls on; nothing while `at` is null. */
const fault = vi.hoisted(() => {
  const state: { at: string | null; from: number; thrown: number } = { at: null, from: 1, thrown: 0 }
  let calls = 0
  return {
    state,
    set(at: string | null, from: number): void {
      Object.assign(state, { at, from, thrown: 0 })
      calls = 0
    },
    /** The module's own exports, the named ones behind the switch. */
    sabotaged(real: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
      const wrapped = names.map((name) => {
        const own = real[name] as (...args: readonly unknown[]) => unknown
        const broken = (...args: readonly unknown[]): unknown => {
          if (state.at === name && ++calls >= state.from) {
            state.thrown += 1
            throw new Error(`sabotaged: ${name}`)
          }
          return own(...args)
        }
        return [name, broken] as const
      })
      return { ...real, ...Object.fromEntries(wrapped) }
    },
  }
})

type Real = () => Promise<Record<string, unknown>>
vi.mock('../../src/main/flow/10-ingress.ts', async (real: Real) =>
  fault.sabotaged(await real(), 'admitHead', 'readCall'),
)
vi.mock('../../src/main/flow/20-admission.ts', async (real: Real) => fault.sabotaged(await real(), 'admit'))
vi.mock('../../src/main/flow/30-session.ts', async (real: Real) => fault.sabotaged(await real(), 'bind'))
vi.mock('../../src/main/flow/40-candidates.ts', async (real: Real) => fault.sabotaged(await real(), 'candidates'))
vi.mock('../../src/main/flow/standing.ts', async (real: Real) => fault.sabotaged(await real(), 'standing'))
vi.mock('../../src/main/flow/rank.ts', async (real: Real) => fault.sabotaged(await real(), 'rank', 'strategyOf'))
vi.mock('../../src/main/flow/50-order.ts', async (real: Real) => fault.sabotaged(await real(), 'order'))
vi.mock('../../src/main/flow/second-look.ts', async (real: Real) =>
  fault.sabotaged(await real(), 'candidateLost', 'keyLost', 'isBoundBy'),
)
vi.mock('../../src/main/flow/gate-pass.ts', async (real: Real) => fault.sabotaged(await real(), 'passGate'))
vi.mock('../../src/main/flow/prepare.ts', async (real: Real) => fault.sabotaged(await real(), 'prepare'))
vi.mock('../../src/main/flow/send-out.ts', async (real: Real) => fault.sabotaged(await real(), 'sendOut'))
vi.mock('../../src/main/flow/judged.ts', async (real: Real) => fault.sabotaged(await real(), 'judged'))
vi.mock('../../src/main/flow/note-served.ts', async (real: Real) => fault.sabotaged(await real(), 'noteServed'))
vi.mock('../../src/main/flow/60-attempt.ts', async (real: Real) => fault.sabotaged(await real(), 'attempt'))
vi.mock('../../src/main/flow/70-relay.ts', async (real: Real) => fault.sabotaged(await real(), 'deliver'))
vi.mock('../../src/main/flow/80-record.ts', async (real: Real) => fault.sabotaged(await real(), 'record'))

const path = '/codex/v1/responses'
const strict: Partial<AccessKey> = { policy: { mode: 'strict', sources: [sourceId('codex-team')] } }
const as = (key: string, thread: string) => ({
  headers: { ...codexCli(thread).headers, authorization: `Bearer ${key}` },
})

let rig: Rig
let secret = ''
beforeEach(async () => {
  rig = await startRig({ sources: ['codex-team', 'codex-personal', 'openai-key'] })
  secret = rig.newKey('mine', strict)
})
afterEach(async () => {
  fault.set(null, 1)
  await rig.close()
})

/** Its status, or null when it was cut. */
const ask = async (thread: string, key = secret): Promise<number | null> =>
  (await rig.call(path, response({ stream: thread !== 'whole' }), as(key, thread)).catch(() => null))?.status ?? null

const strangers = (): number =>
  rig.practice.seen({ sourceId: 'codex-personal' }).length + rig.practice.seen({ origin: 'openaiApi' }).length

const everywhere = [
  ...['admitHead', 'readCall', 'admit', 'bind', 'candidates', 'standing', 'rank', 'strategyOf', 'order'],
  ...['candidateLost', 'keyLost', 'passGate', 'prepare', 'sendOut', 'judged', 'noteServed', 'attempt'],
  ...['deliver', 'record', 'isBoundBy'],
]
/** Reached only when an answer is good. */
const afterSuccess = new Set(['noteServed', 'isBoundBy'])
/** Also called after the first try, so that they throw between two. */
const between = ['standing', 'candidateLost', 'keyLost', 'passGate', 'prepare', 'sendOut', 'judged']

describe('a throw', () => {
  test.each(everywhere)('in %s, and the retry after it, reach no other account', async (name) => {
    if (!afterSuccess.has(name)) {
      rig.practice.script('codex-team', { reply: { kind: 'error', error: 'server-error' } })
    }
    fault.set(name, 1)
    await ask('one')
    expect([fault.state.thrown > 0, strangers()]).toEqual([true, 0])
    await ask('whole')
    fault.set(null, 1)
    await ask('one')
    await ask('two')
    expect(strangers()).toBe(0)
  })

  test.each(between)('in %s between two tries reaches no other account', async (name) => {
    // A burst is tried again at the same account.
    const burst = { reply: { kind: 'error', error: 'burst' } } as const
    rig.practice.script('codex-team', burst, burst, burst)
    for (const from of [2, 3]) {
      fault.set(name, from)
      await ask(`turn-${from}`)
      await ask('whole')
    }
    fault.set(null, 1)
    await ask('after')
    expect(strangers()).toBe(0)
  })
})

describe('what the core relies on fails', () => {
  const boom = (): never => {
    throw new Error('sabotaged')
  }
  const parts: readonly (readonly [string, () => { mockRestore(): void }])[] = [
    ['the bindings', () => vi.spyOn(rig.core.api.bindings, 'reserve').mockImplementation(boom)],
    ['the conditions', () => vi.spyOn(rig.core.api.conditions, 'apply').mockImplementation(boom)],
    ['the readings', () => vi.spyOn(rig.core.api.conditions, 'read').mockImplementation(boom)],
    ['the gates', () => vi.spyOn(rig.core.api.gates, 'enter').mockImplementation(boom)],
    ['the renewals', () => vi.spyOn(rig.core.api.refresher, 'tokenFor').mockImplementation(boom)],
    ['the vault', () => vi.spyOn(rig.core.api.vault, 'read').mockImplementation(boom)],
  ]
  test.each(parts)('%s: no other account', async (_, sabotage) => {
    const sabotaged = sabotage()
    for (const error of ['server-error', 'exhausted', 'unauthorised'] as const) {
      rig.practice.script('codex-team', { reply: { kind: 'error', error: error as never } })
      await ask(error)
      rig.core.api.conditions.lift(sourceId('codex-team'))
    }
    sabotaged.mockRestore()
    await ask('after')
    expect(strangers()).toBe(0)
  })

  test.each(['the files are gone', 'the folder is gone'])(
    '%s in the middle of a call: it ends where it began, and so does the next',
    async (what) => {
      rig.practice.script('codex-team', { delayMs: 150, reply: { kind: 'error', error: 'server-error' } })
      const running = ask('one')
      await rig.practice.waitFor(({ sourceId: source }) => source === 'codex-team')
      if (what === 'the folder is gone') rmSync(rig.dataDir, { recursive: true, force: true })
      else for (const name of ['pointsman.db', 'calls.db']) rmSync(join(rig.dataDir, name))
      await running
      await ask('one')
      await ask('whole')
      expect(strangers()).toBe(0)
    },
  )
})

test('without strict the same fault does go elsewhere: the other accounts are there to be taken', async () => {
  rig.practice.script('codex-team', { reply: { kind: 'error', error: 'server-error' } })
  expect(await ask('one', rig.key)).toBe(200)
  expect(strangers()).toBe(1)
})
