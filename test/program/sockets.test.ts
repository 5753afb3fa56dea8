/** The Responses WebSocket through the whole flow: turns, anchors, a move to another account between two turns (codex §2.5). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Behaviour, fiveHour } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { create, type DialOptions, dial, idOf, type SocketClient, text, types } from './socket-client.ts'
import { type Rig, startRig, until } from './start-core.ts'

let rig: Rig
const clients: SocketClient[] = []
beforeEach(async () => {
  rig = await startRig({ sources: ['codex-team', 'codex-personal'] })
  for (const id of ['codex-team', 'codex-personal']) rig.practice.setWindows(id, [])
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  await rig.close()
})

async function open(options: DialOptions = {}): Promise<SocketClient> {
  const client = await dial(rig, options)
  clients.push(client)
  return client
}

const spent: Behaviour = { reply: { kind: 'error', error: 'spent' } }
const says = (words: string): Behaviour => ({ reply: { kind: 'vendor', content: { text: words } } })
const frames = () => rig.practice.seen({ method: 'FRAME' })
const notFound = { type: 'error', status: 400, error: { code: 'previous_response_not_found' } }

describe('a conversation on one account', () => {
  test('goes over one WebSocket upstream, frame by frame as it came, and builds on its own answers', async () => {
    const client = await open()
    const warm = await client.turn({ generate: false })
    expect(types(warm)).toEqual(['codex.rate_limits', 'response.created', 'response.completed'])
    rig.practice.script('codex-team', says('first'), says('second'))
    const first = await client.turn({ previous_response_id: idOf(warm) })
    const second = await client.turn({ previous_response_id: idOf(first) })
    expect([text(first), text(second)]).toEqual(['first', 'second'])

    const upgrades = rig.practice.seen({ operation: 'upgrade' })
    expect(upgrades.map(({ sourceId: id, status }) => [id, status])).toEqual([['codex-team', 101]])
    expect(frames().map(({ connection, onConnection }) => [connection, onConnection])).toEqual([
      [upgrades[0]?.connection, 1],
      [upgrades[0]?.connection, 2],
      [upgrades[0]?.connection, 3],
    ])
    expect(new TextDecoder().decode(frames()[1]?.body ?? undefined)).toBe(
      JSON.stringify(create({ previous_response_id: idOf(warm) })),
    )
    const rows = await rig.rows(3)
    expect(rows.map(({ sourceId: id, outcome, status, operation }) => [id, outcome, status, operation])).toEqual(
      Array(3).fill(['codex-team', 'done', 200, 'generate']),
    )
    expect(rows[0]?.usage?.outputTokens).toBeGreaterThan(0)
    expect((await rig.latest(3)).decision?.trail).toContainEqual(
      expect.objectContaining({ stage: 'ingress', decision: 'responses generate', because: 'websocket' }),
    )
  })

  test('carries the client’s own headers on the upgrade, with the account’s credential and nothing of the handshake', async () => {
    const client = await open({ path: `/k/${rig.key}/codex/v1/responses`, headers: { authorization: 'Bearer own' } })
    await client.turn()
    const [upgrade] = rig.practice.seen({ operation: 'upgrade' })
    const sent = new Map<string, string>()
    const raw = upgrade?.rawHeaders ?? []
    for (let at = 0; at + 1 < raw.length; at += 2) sent.set(raw[at]?.toLowerCase() ?? '', raw[at + 1] ?? '')
    expect(sent.get('openai-beta')).toBe('responses_websockets=2026-02-06')
    expect(sent.get('thread-id')).toBe('thread-one')
    expect(sent.get('authorization')).not.toContain('own')
    expect(sent.get('chatgpt-account-id')).toBe(rig.practice.account('codex-team').workspaceId)
    for (const name of ['accept-encoding', 'content-type', 'sec-websocket-extensions'])
      expect(sent.has(name)).toBe(false)
    expect(JSON.stringify(raw)).not.toContain(rig.key)
  })

  test('offers the vendor to compress frames where the client did, and only there: on loopback nothing is', async () => {
    const client = await open({ more: { perMessageDeflate: true } })
    const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'again '.repeat(50_000) }] }]
    await client.turn({ input })
    const [upgrade] = rig.practice.seen({ operation: 'upgrade' })
    expect([
      client.socket.extensions,
      upgrade?.rawHeaders.some((text) => text.startsWith('permessage-deflate')),
    ]).toEqual(['', true])
    expect(new TextDecoder().decode(frames()[0]?.body ?? undefined)).toBe(JSON.stringify(create({ input })))
  })

  test('tells the limits it reads from the vendor’s event', async () => {
    rig.practice.setWindows('codex-team', [fiveHour(37, Date.now(), 3_600_000, 1)])
    const client = await open()
    await client.turn()
    const [reading] = rig.core.api.conditions.quota.get(sourceId('codex-team'))?.readings ?? []
    expect(reading).toMatchObject({ window: 'five-hour', source: 'header' })
    expect(reading?.usedPercent).toBeGreaterThanOrEqual(37)
  })
})

describe('a move to another account', () => {
  test('before the first event is unseen when the whole history is in the frame', async () => {
    rig.practice.script('codex-team', spent)
    rig.practice.script('codex-personal', says('from the other'))
    const client = await open()
    const answer = await client.turn()
    expect(text(answer)).toBe('from the other')
    const { executions } = await rig.latest()
    expect(executions.map(({ sourceId: id, status, because }) => [id, status, because])).toEqual([
      ['codex-team', 429, 'exhausted'],
      ['codex-personal', 200, 'done'],
    ])
  })

  test('between two turns: the earlier answer is said to be lost, and the whole history goes to the other account', async () => {
    const client = await open()
    const first = await client.turn()
    rig.practice.script('codex-team', spent)
    const second = await client.turn({ previous_response_id: idOf(first) })
    expect(second).toHaveLength(1)
    expect(second[0]).toMatchObject(notFound)
    expect(frames().map(({ sourceId: id }) => id)).toEqual(['codex-team', 'codex-team'])
    client.socket.terminate()

    rig.practice.script('codex-personal', says('goes on'))
    const again = await open()
    const third = await again.turn()
    expect(text(third)).toBe('goes on')
    const fourth = await again.turn({ previous_response_id: idOf(third) })
    expect(types(fourth).at(-1)).toBe('response.completed')
    const rows = await rig.rows(4)
    expect(rows.map(({ sourceId: id, outcome, errorCode }) => [id, outcome, errorCode])).toEqual([
      ['codex-personal', 'done', null],
      ['codex-personal', 'done', null],
      [null, 'refused', 'state_elsewhere'],
      ['codex-team', 'done', null],
    ])
  })

  test('known beforehand: an account marked as spent is not even asked', async () => {
    const client = await open()
    const first = await client.turn()
    rig.practice.script('codex-team', spent)
    const other = await open({ thread: 'another' })
    await other.turn()
    const seen = frames().length
    const second = await client.turn({ previous_response_id: idOf(first) })
    expect(second[0]).toMatchObject(notFound)
    expect(frames()).toHaveLength(seen)
  })

  test('never under a strict policy: the recoverable error, then the sentence, and the other account sees nothing', async () => {
    const secret = rig.newKey('strict', { policy: { mode: 'strict', sources: [sourceId('codex-team')] } })
    const headers = { authorization: `Bearer ${secret}` }
    const client = await open({ headers })
    const first = await client.turn()
    rig.practice.usually('codex-team', spent)
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    const again = await open({ headers })
    const second = await again.turn()
    expect(second.at(-1)).toMatchObject({ type: 'error', status: 429, error: { type: 'usage_limit_reached' } })
    expect(rig.practice.seen().filter(({ sourceId: id }) => id === 'codex-personal')).toEqual([])
  })

  test('an answer of another connection is lost, whoever gave it', async () => {
    const one = await open()
    const first = await one.turn()
    const two = await open({ thread: 'two' })
    expect((await two.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(frames()).toHaveLength(1)
    expect(types(await one.turn({ previous_response_id: idOf(first) })).at(-1)).toBe('response.completed')
  })

  test('an answer of a connection that is open decides the account, whatever the strategy would say', async () => {
    rig.set({ defaultStrategy: 'rotate' })
    const unnamed = { 'session-id': '', 'thread-id': '' }
    const client = await open({ headers: unnamed })
    let answer = await client.turn()
    for (let turns = 0; turns < 3; turns += 1) answer = await client.turn({ previous_response_id: idOf(answer) })
    expect(new Set(frames().map(({ sourceId: id }) => id)).size).toBe(1)
    const { decision, executions } = await rig.latest(4)
    expect(executions).toHaveLength(1)
    expect(decision?.trail).toContainEqual(
      expect.objectContaining({ stage: 'session', decision: frames()[0]?.sourceId, because: 'builds-on' }),
    )
  })

  test('an answer that the account of the address never gave is not asked for there', async () => {
    const client = await open({ path: '/codex-team/v1/responses' })
    expect((await client.turn({ previous_response_id: 'resp_of_somebody' }))[0]).toMatchObject(notFound)
    expect([frames(), (await rig.latest()).executions]).toEqual([[], []])
  })

  test('a source that somebody else has signed in to is not asked over the connection of the one before', async () => {
    const client = await open()
    const first = await client.turn()
    const { credentialRef } = await rig.add('codex-team')
    if (credentialRef === null) throw new Error('an account has a credential')
    await rig.core.api.vault.write(credentialRef, rig.practice.credential('codex-personal'))
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(types(await client.turn()).at(-1)).toBe('response.completed')
    expect(frames().map(({ sourceId: id }) => id)).toEqual(['codex-team', 'codex-personal'])
    expect((await rig.latest(3)).call.sourceId).toBe('codex-team')
  })

  test('an account switched off between two turns is not asked again', async () => {
    const client = await open()
    const first = await client.turn()
    await rig.add('codex-team', { active: false })
    expect((await client.turn({ previous_response_id: idOf(first) }))[0]).toMatchObject(notFound)
    expect(text(await client.turn())).not.toBe('')
    expect(frames().map(({ sourceId: id }) => id)).toEqual(['codex-team', 'codex-personal'])
  })
})

test('a client that leaves takes its upstream WebSocket with it', async () => {
  const client = await open()
  rig.practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 3 } } })
  client.send(create())
  await until(() => (client.frames.length >= 2 ? true : null), 'frames of the turn')
  client.socket.terminate()
  await until(
    () => (rig.practice.seen({ operation: 'upgrade' })[0]?.ended === 'by-peer' ? true : null),
    'upstream closed',
  )
  expect((await rig.rows(1))[0]?.outcome).toBe('client-left')
})
