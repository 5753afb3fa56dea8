/** Gates: who waits, who is let through, and when they open (routing §5). */
import { expect, test } from 'vitest'
import { gateRules } from '../../src/main/domain/gate.ts'
import { Gates } from '../../src/main/state/gates.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { HandClock, settle } from '../accounts/kit.ts'

const work = sourceId('work')
const gone = () => new AbortController().signal

function rig() {
  const clock = new HandClock()
  return { clock, gates: new Gates(clock) }
}

test('requests count from being sent until their answer is known, each once', () => {
  const { gates } = rig()
  const [first, second] = [gates.enter(work), gates.enter(work)]
  expect(gates.pending(work)).toBe(2)
  first(true)
  first(false)
  expect(gates.pending(work)).toBe(1)
  second(false)
  expect(gates.pending(work)).toBe(0)
})

test('an account failed over to has a gate until one request succeeds', () => {
  const { gates } = rig()
  gates.failOver(work)
  expect(gates.failedOverTo(work)).toMatchObject({ limit: 2, because: 'failed-over' })
  gates.enter(work)(false)
  expect(gates.failedOverTo(work)).not.toBe(null)
  gates.enter(work)(true)
  expect(gates.failedOverTo(work)).toBe(null)
})

test('one that has answered within five minutes needs no proof, later it does again', () => {
  const { gates, clock } = rig()
  gates.enter(work)(true)
  clock.advance(gateRules.provenMs - 1)
  gates.failOver(work)
  expect(gates.failedOverTo(work)).toBe(null)
  clock.advance(1)
  gates.failOver(work)
  expect(gates.failedOverTo(work)).not.toBe(null)
})

test('a first answer that takes over 30 s keeps nobody waiting, and more failovers don’t shut it again', () => {
  const { gates, clock } = rig()
  gates.failOver(work)
  gates.enter(work)
  clock.advance(20_000)
  gates.failOver(work)
  clock.advance(10_000)
  expect(gates.failedOverTo(work)).toBe(null)
  gates.failOver(work)
  expect(gates.failedOverTo(work)).toBe(null)
})

test.each([true, false])(
  'the end of a request lets everybody look again, whether it succeeded (%s) or not',
  async (proven) => {
    const { gates } = rig()
    gates.failOver(work)
    const gate = gates.failedOverTo(work)!
    const leave = gates.enter(work)
    let woken = 0
    for (let n = 0; n < 3; n += 1) void gates.change(work, gate, gone()).then(() => (woken += 1))
    await settle()
    expect(woken).toBe(0)
    leave(proven)
    await settle()
    expect(woken).toBe(3)
  },
)

test('the gate’s time and a client that leaves end the wait, and leave no timer behind', async () => {
  const { gates, clock } = rig()
  gates.failOver(work)
  const gate = gates.failedOverTo(work)!
  const leaving = new AbortController()
  const ended: string[] = []
  void gates.change(work, gate, leaving.signal).then(() => ended.push('left'))
  void gates.change(work, gate, gone()).then(() => ended.push('time'))
  leaving.abort()
  await settle()
  expect(ended).toEqual(['left'])
  clock.advance(gateRules.failedOverMs)
  await settle()
  expect([ended, clock.waiting]).toEqual([['left', 'time'], 0])
})
