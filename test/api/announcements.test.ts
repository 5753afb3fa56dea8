/** Subscriptions: the present revision first, then changes of their own area, four a second at most, until their caller leaves. */
import { expect, test } from 'vitest'
import { announcements } from '../../src/main/api/announcements.ts'
import type { ApiDeps } from '../../src/main/api/api-deps.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { HandClock, HandLog } from '../accounts/kit.ts'

function subscription(area: Parameters<typeof announcements>[0] = 'models') {
  const announcer = new Announcer()
  const clock = new HandClock()
  const caller = new AbortController()
  const deps = { announcer, clock, log: new HandLog() } as unknown as ApiDeps
  return { announcer, clock, caller, messages: announcements(area, deps, caller.signal) }
}

/** Lets every promise that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What `next` has come to by now. */
async function stateOf(next: Promise<IteratorResult<{ revision: number }, void>>): Promise<unknown> {
  let found: unknown = 'waiting'
  void next.then((result) => {
    found = result.done === true ? 'ended' : result.value.revision
  })
  await settle()
  return found
}

test('the first message comes at once and holds the present revision', async () => {
  const { announcer, messages } = subscription()
  announcer.changed('models')
  announcer.changed('quota')
  expect(await stateOf(messages.next())).toBe(2)
})

test('changes within a quarter of a second are one message, and it holds the newest', async () => {
  const { announcer, clock, messages } = subscription()
  await messages.next()
  const next = messages.next()
  announcer.changed('models')
  announcer.changed('models')
  expect(await stateOf(next)).toBe('waiting')
  clock.advance(250)
  expect(await stateOf(next)).toBe(2)
})

test('a change after the pause is told at once', async () => {
  const { announcer, clock, messages } = subscription()
  await messages.next()
  const next = messages.next()
  await settle()
  clock.advance(250)
  expect(await stateOf(next)).toBe('waiting')
  announcer.changed('models')
  expect(await stateOf(next)).toBe(1)
})

test('other areas are not heard', async () => {
  const { announcer, clock, messages } = subscription('calls')
  await messages.next()
  const next = messages.next()
  await settle()
  clock.advance(250)
  for (const area of ['app', 'accounts', 'models', 'quota'] as const) announcer.changed(area)
  expect(await stateOf(next)).toBe('waiting')
})

test('a thousand changes are at most four messages a second', async () => {
  const { announcer, clock, caller, messages } = subscription()
  const seen: number[] = []
  const reading = (async () => {
    for await (const { revision } of messages) seen.push(revision)
  })()
  for (let change = 0; change < 1_000; change += 1) {
    announcer.changed('models')
    clock.advance(1)
    await settle()
  }
  caller.abort()
  await reading
  expect(seen.length).toBeLessThanOrEqual(5)
  expect(seen.length).toBeGreaterThanOrEqual(4)
})

test.each([
  ['while it waits for a change', 250],
  ['while it pauses after a message', 0],
])('it ends with its caller %s, and hears nothing more', async (_when, waitedMs) => {
  const { announcer, clock, caller, messages } = subscription()
  await messages.next()
  const next = messages.next()
  await settle()
  clock.advance(waitedMs)
  await settle()
  caller.abort()
  expect(await stateOf(next)).toBe('ended')
  let heard = 0
  announcer.subscribe(() => {
    heard += 1
  })
  announcer.changed('models')
  expect([heard, clock.waiting]).toEqual([1, 0])
})

test('a caller that has left before it began gets nothing', async () => {
  const { caller, messages } = subscription()
  caller.abort()
  expect(await stateOf(messages.next())).toBe('ended')
})
