/** The watch over local servers: when it looks, what a silence leads to, and what ends it. */
import { describe, expect, test } from 'vitest'
import { type Health, healthy } from '../../src/main/domain/health.ts'
import type { LocalProvider } from '../../src/main/domain/source.ts'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
import { LocalWatch } from '../../src/main/quota/local-watch.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Conditions } from '../../src/main/state/conditions.ts'
import { chance, HandClock, HandWeb, json, settle } from '../accounts/kit.ts'
import { local } from '../flow/kit.ts'

const away: UpstreamFailure = { kind: 'unreachable', why: 'the connection was refused' }

function rig(change: Partial<LocalProvider> = {}, health: Health = healthy) {
  const clock = new HandClock()
  const state: { answer: WebAnswer | UpstreamFailure } = { answer: json(200, { version: '0.33.0' }) }
  const web = new HandWeb().otherwise(() => state.answer)
  const conditions = new Conditions(health, new Map(), clock, chance, new Announcer())
  const source = local('box', change)
  const watch = new LocalWatch({ clock, web, conditions, sources: { all: () => [source] } })
  watch.start()
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 5) {
      clock.advance(5_000)
      await settle()
    }
  }
  const rest = () => conditions.health.sources.get(source.id)
  return { clock, web, conditions, state, watch, source, pass, rest }
}

describe('a local server', () => {
  test('is looked at each minute while it answers, by its own small address', async () => {
    const { web, pass, rest } = rig()
    await pass(125)
    expect(web.requests.map(({ method, url, body }) => [method, url, body])).toEqual(
      Array.from({ length: 3 }, () => ['GET', 'http://127.0.0.1:11434/api/version', null]),
    )
    expect(rest()).toBeUndefined()
  })
  test('of the OpenAI style is asked for its list', async () => {
    const { web, pass } = rig({ provider: 'openai-compatible' })
    await pass(5)
    expect(web.requests[0]?.url).toBe('http://127.0.0.1:11434/v1/models')
  })
  test('that doesn’t run rests until it is back, and is looked at often meanwhile', async () => {
    const { state, pass, rest, web } = rig()
    state.answer = away
    await pass(20)
    expect(rest()).toMatchObject({
      because: 'unreachable',
      untilMs: null,
      sentence: 'Nothing answers at http://127.0.0.1:11434: the connection was refused.',
    })
    expect(web.requests.length).toBe(4)
    state.answer = json(401, {})
    await pass(5)
    expect(rest()).toBeUndefined()
  })
  test('that only answers late or badly does not rest for it', async () => {
    const { state, pass, rest } = rig()
    for (const answer of [{ kind: 'silent' }, { kind: 'lost' }] as const) {
      state.answer = answer
      await pass(60)
      expect(rest()).toBeUndefined()
    }
    state.answer = json(500, {})
    await pass(60)
    expect(rest()).toBeUndefined()
  })
  test('that rests for another reason goes on resting although it answers', async () => {
    const { pass, conditions, source } = rig()
    const subject = { sourceId: source.id, backendId: 'box:m' as never, host: 'http://127.0.0.1:11434' }
    conditions.apply(subject, { kind: 'host-rests', sentence: 'It is overloaded.' })
    conditions.apply(subject, { kind: 'source-failed', sentence: 'It failed.' })
    await pass(5)
    expect([conditions.health.hosts.size, conditions.health.sources.size]).toEqual([1, 1])
  })
  test('that is switched off is left alone, and so is everything once the watch is closed', async () => {
    const off = rig({ active: false })
    await off.pass(10)
    expect(off.web.requests).toEqual([])
    const { watch, web, pass, clock } = rig()
    watch.close()
    await pass(120)
    expect([web.requests.length, clock.waiting]).toEqual([0, 0])
  })
})
