/**
 * Every known shape of a limit or refusal on a subscription, over real HTTP: the account that got it has the right
 * effect and nothing else, and the other account has none (claude §4.3–4.5, codex §4.4–4.6).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { healthy } from '../../src/main/domain/health.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { claudeShapes, codexShapes, hour, startMs } from './limit-shapes.ts'
import { id, type Rig, startRig } from './start-core.ts'

const vendors = [
  { vendor: 'claude', accounts: ['claude-work', 'claude-personal'], shapes: claudeShapes },
  { vendor: 'codex', accounts: ['codex-team', 'codex-personal'], shapes: codexShapes },
] as const

test('there are at least 25 shapes', () => {
  expect(claudeShapes.length + codexShapes.length).toBeGreaterThanOrEqual(25)
})

describe.each(vendors)('$vendor', ({ vendor, accounts, shapes }) => {
  const [first, second] = accounts
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ sources: accounts })
  })
  afterAll(() => rig.close())

  test.each(shapes)('$name', async (shape) => {
    const { conditions, sources } = rig.core.api
    for (const account of accounts) {
      conditions.forgetWindows(id(account))
      conditions.lift(id(account))
      rig.practice.setWindows(account, [])
    }
    const host = sources.picture.origins.get(id(first)) ?? ''
    conditions.apply({ sourceId: id(first), backendId: `${first}:x` as never, host }, { kind: 'served' })
    const { status, headers = {}, body, model } = shape
    const bytes = typeof body === 'string' ? body : JSON.stringify(body)
    const kind = 'content-type' in headers ? [] : ['content-type', 'application/json']
    const reply = {
      kind: 'status',
      status,
      headers: [...kind, ...Object.entries(headers).flat()],
      body: bytes,
    } as const
    rig.practice.script(first, { reply })
    // Both accounts share a host: what the host says, the second says too.
    if (shape.hostRests === true) rig.practice.script(second, { reply })
    const named = model === undefined ? {} : { model }
    rig.practice.forgetSeen()
    const thread = `thread-${shapes.indexOf(shape)}`
    const answer =
      vendor === 'claude'
        ? await rig.call('/claude/v1/messages', message({ stream: true, ...named }), claudeCode(thread))
        : await rig.call('/codex/v1/responses', response(named), codexCli(thread))
    const asked = [...new Set(rig.practice.seen({ operation: 'generate' }).map((request) => request.sourceId))]
    expect(asked).toEqual(shape.goes === 'other' || shape.hostRests === true ? accounts : [first])
    if (shape.goes === 'other') expect([answer.status, answer.end]).toEqual([200, 'whole'])
    else expect([answer.status, answer.text]).toEqual([status, bytes])

    const { spent } = conditions.snapshot(id(first))
    const expectedMarks = shape.marks ?? (status === 200 ? [['unnamed', null, hour]] : [])
    expect(
      spent.map(({ window, family, untilMs }) => [window, family, untilMs === null ? null : untilMs - startMs]),
    ).toEqual(expectedMarks)
    const { health } = conditions
    expect({
      rests: health.sources.get(id(first))?.because ?? null,
      hosts: health.hosts.size,
      notEntitled: health.notEntitled.size,
      others: [health.sources.has(id(second)), conditions.snapshot(id(second)).spent.length],
      signedOut: accounts.map((account) => (sources.get(id(account)) as { signedOut?: unknown }).signedOut),
    }).toEqual({
      rests: shape.rests ?? null,
      hosts: shape.hostRests === true ? 1 : healthy.hosts.size,
      notEntitled: shape.notEntitled === true ? 1 : 0,
      others: [false, 0],
      signedOut: [null, null],
    })
  })
})
