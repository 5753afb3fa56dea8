/** How often a call is tried, and until when it may move: caps, ambiguous losses, the commit point (routing §6). */
import { afterEach, describe, expect, test } from 'vitest'
import type { Behaviour, ErrorName } from '../../src/main/practice/practice.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Rig, startRig } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(sources: readonly string[], settings = {}): Promise<Rig> {
  const rig = await startRig({ sources, settings })
  open.push(rig)
  return rig
}

const failing = (error: ErrorName): Behaviour => ({ reply: { kind: 'error', error } })
const claude = ['claude-work', 'claude-personal']
const codex = ['codex-team', 'codex-personal']
const askClaude = (rig: Rig, change = {}, session = 'session-one') =>
  rig.call('/claude/v1/messages', message(change), claudeCode(session))
const attempts = async (rig: Rig, rows = 1) =>
  (await rig.latest(rows)).executions.map((one) => `${one.sourceId} ${one.status} ${one.because}`)

describe('attempts', () => {
  const five = [...claude, 'anthropic-key']
  test('are capped at the setting; refused-outright answers are not counted', async () => {
    const rig = await start(five, { attempts: 2 })
    for (const source of five) rig.practice.usually(source, failing('server-error'))
    expect((await askClaude(rig)).status).toBe(500)
    expect((await rig.latest()).executions.length).toBe(2)
  })

  const lost: Behaviour = { reply: { kind: 'no-head', end: 'reset' } }
  test('F5 a loss after sending is tried once more, then passed on as a reset', async () => {
    const rig = await start(five)
    for (const source of five) rig.practice.usually(source, lost)
    const answer = await askClaude(rig)
    expect([answer.status, answer.end]).toEqual([0, 'ECONNRESET'])
    expect((await rig.latest()).executions.map((one) => one.outcome)).toEqual(['unknown-outcome', 'unknown-outcome'])
  })

  test('F5 a loss after sending is not tried again where the setting is off', async () => {
    const rig = await start(five, { retryAmbiguous: false })
    for (const source of five) rig.practice.usually(source, lost)
    expect((await askClaude(rig)).end).toBe('ECONNRESET')
    expect((await rig.latest()).executions.length).toBe(1)
  })

  test('F5 a lost `compact` is never sent twice', async () => {
    const rig = await start(codex)
    rig.practice.script('codex-team', lost)
    const { store: _, stream: __, ...body } = response()
    const answer = await rig.call('/codex/v1/responses/compact', body, codexCli())
    expect(answer.end).toBe('ECONNRESET')
    expect(rig.practice.seen({ operation: 'compact' }).length).toBe(1)
  })

  test('F2 a refused connection moves on to another host, and alone is a 502', async () => {
    const rig = await start(['anthropic-key', 'claude-work'])
    await rig.add('anthropic-key', { baseUrl: 'http://127.0.0.1:9' })
    expect((await askClaude(rig)).status).toBe(200)
    expect(await attempts(rig)).toEqual(['anthropic-key null unreachable', 'claude-work 200 done'])
    const alone = await rig.call('/anthropic-key/v1/messages', message())
    expect([alone.status, alone.headers['x-pointsman-error']]).toEqual([502, 'upstream_unreachable'])
    expect(alone.headers['x-should-retry']).toBeUndefined()
  })
})

describe('what is held', () => {
  const slow = (pieceDelayMs: number): Behaviour => ({
    reply: { kind: 'vendor', content: { words: 3 } },
    wire: { split: { every: 400 }, pieceDelayMs },
  })
  test('is opened after `holdMs` without content, and from then on belongs to this account', async () => {
    const rig = await start(claude, { holdMs: 30 })
    const head = 'event: ping\ndata: {"type":"ping"}\n\n'
    rig.practice.script('claude-work', {
      reply: {
        kind: 'stream',
        pieces: [
          head,
          head,
          head,
          head,
          'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
        ],
      },
      wire: { pieceDelayMs: 60 },
    })
    const answer = await askClaude(rig, { stream: true })
    expect([answer.status, answer.text.startsWith(head)]).toEqual([200, true])
    expect((await rig.latest()).executions.map((one) => one.sourceId)).toEqual(['claude-work'])
  })

  test('reaches the client whole once content begins', async () => {
    const rig = await start(claude)
    rig.practice.script('claude-work', slow(1))
    const answer = await askClaude(rig, { stream: true })
    expect(answer.text.match(/message_start"/g)?.length).toBe(1)
    expect(answer.text.trimEnd().endsWith('data: {"type":"message_stop"}')).toBe(true)
  })
})
