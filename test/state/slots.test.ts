/** A key's slots: taken in turn, waited for up to ten seconds, given back exactly once (access.md, check 8). */
import { expect, test } from 'vitest'
import { Gone } from '../../src/main/adapters/http/http-exchange.ts'
import { Slots } from '../../src/main/state/slots.ts'
import { keyId } from '../../src/shared/ids.ts'

const key = keyId('key_1')

function clock() {
  let waiting: { readonly atMs: number; readonly act: () => void }[] = []
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    after(delayMs: number, act: () => void) {
      const entry = { atMs: nowMs + delayMs, act }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    turn(byMs: number) {
      nowMs += byMs
      for (const entry of waiting.filter(({ atMs }) => atMs <= nowMs)) entry.act()
      waiting = waiting.filter(({ atMs }) => atMs > nowMs)
    },
    get waiting() {
      return waiting.length
    },
  }
}

test('without a limit nobody waits', async () => {
  const slots = new Slots(clock())
  const frees = await Promise.all(Array.from({ length: 5 }, () => slots.take(key, null, new Gone())))
  expect(slots.running(key)).toBe(5)
  for (const free of frees) free?.()
  expect(slots.running(key)).toBe(0)
})

test('the next in line gets a slot as soon as one is free, in order', async () => {
  const slots = new Slots(clock())
  const first = await slots.take(key, 1, new Gone())
  const order: string[] = []
  const take = async (name: string) => {
    const free = await slots.take(key, 1, new Gone())
    order.push(name)
    return free
  }
  const second = take('second')
  const third = take('third')
  first?.()
  first?.()
  const free = await second
  expect([order, slots.running(key)]).toEqual([['second'], 1])
  free?.()
  ;(await third)?.()
  expect([order, slots.running(key)]).toEqual([['second', 'third'], 0])
})

test('after ten seconds the answer is no, and a slot that comes later goes to somebody else', async () => {
  const time = clock()
  const slots = new Slots(time)
  const first = await slots.take(key, 1, new Gone())
  const late = slots.take(key, 1, new Gone())
  time.turn(9_999)
  expect(time.waiting).toBe(1)
  time.turn(1)
  expect([await late, time.waiting]).toEqual([null, 0])
  first?.()
  expect([typeof (await slots.take(key, 1, new Gone())), slots.running(key)]).toEqual(['function', 1])
})

test('who leaves while waiting takes nothing, also when gone before', async () => {
  const time = clock()
  const slots = new Slots(time)
  const first = await slots.take(key, 1, new Gone())
  const gone = new Gone()
  const waiting = slots.take(key, 1, gone)
  gone.fire()
  expect([await waiting, await slots.take(key, 1, gone), time.waiting]).toEqual([null, null, 0])
  first?.()
  expect(slots.running(key)).toBe(0)
})

test('keys do not share slots', async () => {
  const slots = new Slots(clock())
  await slots.take(key, 1, new Gone())
  expect(typeof (await slots.take(keyId('key_2'), 1, new Gone()))).toBe('function')
})
