/** Many agents failing over together: the next account is not fallen upon (routing §5, "Gate"). */
import { afterEach, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { codexCli, response } from './asks.ts'
import { id, type Rig, startRig, until } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(...sources: readonly string[]): Promise<Rig> {
  const rig = await startRig({ sources })
  open.push(rig)
  for (const source of sources) rig.practice.setWindows(source, [])
  return rig
}

const agents = 30
const spent: Behaviour = { reply: { kind: 'error', error: 'spent' } }
const asked = (rig: Rig, sourceId: string) => rig.practice.seen({ sourceId, operation: 'generate' })

/** Every agent at once, each with a conversation of its own. */
const send = (rig: Rig) =>
  Promise.all(
    Array.from({ length: agents }, (_, n) => rig.call('/codex/v1/responses', response(), codexCli(`agent-${n}`))),
  )

describe('30 agents whose account is spent', () => {
  test('bring at most two requests to the next one until one succeeds; then all are served', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.usually('codex-team', spent)
    rig.practice.script('codex-personal', { delayMs: 400 }, { delayMs: 400 })
    const answers = await send(rig)
    expect(answers.map(({ status, end }) => `${status} ${end}`)).toEqual(Array(agents).fill('200 whole'))
    const requests = asked(rig, 'codex-personal')
    expect(requests.length).toBe(agents)
    const firstAnswerMs = Math.min(...requests.map(({ endedMs }) => endedMs ?? Number.POSITIVE_INFINITY))
    expect(requests.filter(({ arrivedMs }) => arrivedMs < firstAnswerMs).length).toBe(2)
    const { gates } = rig.core.api
    expect([gates.pending(id('codex-personal')), gates.failedOverTo(id('codex-personal'))]).toEqual([0, null])
    const { decision } = await rig.latest(agents)
    expect(decision?.trail.some(({ because }) => because === 'gate-wait')).toBe(true)
  })

  test('an account that has just served needs no proof: nobody waits', async () => {
    const rig = await start('codex-team', 'codex-personal')
    await rig.call('/codex-personal/v1/responses', response(), codexCli('proof'))
    rig.practice.forgetSeen()
    rig.practice.usually('codex-team', spent)
    rig.practice.usually('codex-personal', { delayMs: 300 })
    await send(rig)
    const requests = asked(rig, 'codex-personal')
    const firstAnswerMs = Math.min(...requests.map(({ endedMs }) => endedMs ?? Number.POSITIVE_INFINITY))
    expect(requests.filter(({ arrivedMs }) => arrivedMs < firstAnswerMs).length).toBeGreaterThan(2)
  })

  test('learn from two requests, not from thirty, that the next one is spent too', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.usually('codex-team', spent)
    rig.practice.usually('codex-personal', { ...spent, delayMs: 200 })
    const answers = await send(rig)
    expect(answers.filter(({ text }) => text.includes('response.completed'))).toEqual([])
    expect(asked(rig, 'codex-personal').length).toBe(2)
  })

  test('go on one after the other where an answer fails, never three at once', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.usually('codex-team', spent)
    const invalid: Behaviour = { reply: { kind: 'error', error: 'invalid' }, delayMs: 20 }
    rig.practice.usually('codex-personal', invalid)
    await send(rig)
    const requests = asked(rig, 'codex-personal')
    const most = Math.max(
      ...requests.map(
        ({ arrivedMs }) =>
          requests.filter((other) => other.arrivedMs <= arrivedMs && (other.endedMs ?? 0) > arrivedMs).length,
      ),
    )
    expect([requests.length, most]).toEqual([agents, 2])
  })

  test('a client that leaves while it waits is let go at once, and its call is `client-left`', async () => {
    const rig = await start('codex-team', 'codex-personal')
    rig.practice.usually('codex-team', spent)
    rig.practice.usually('codex-personal', { reply: { kind: 'no-head', end: 'stall' } })
    const waiting = Array.from({ length: 3 }, (_, n) => {
      const { promise, resolve } = Promise.withResolvers<() => void>()
      void fetchAndLeave(rig, n, resolve)
      return promise
    })
    const leave = await Promise.all(waiting)
    await until(() => (asked(rig, 'codex-team').length >= 2 ? true : null), 'the calls have begun')
    await until(() => (rig.core.api.gates.pending(id('codex-personal')) === 2 ? true : null), 'two are inside')
    for (const act of leave) act()
    const rows = await rig.rows(3)
    expect(rows.map(({ outcome }) => outcome)).toEqual(['client-left', 'client-left', 'client-left'])
    expect(rig.core.api.gates.pending(id('codex-personal'))).toBe(0)
  })
})

async function fetchAndLeave(rig: Rig, n: number, ready: (leave: () => void) => void): Promise<void> {
  const leaving = new AbortController()
  ready(() => leaving.abort())
  const { headers } = codexCli(`leaver-${n}`)
  await fetch(`http://127.0.0.1:${rig.core.port}/codex/v1/responses`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(response()),
    signal: leaving.signal,
  }).catch(() => null)
}
