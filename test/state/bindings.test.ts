/** Bindings are reserved at pick, confirmed by an answer, given back when everything failed (routing §5). */
import { describe, expect, test } from 'vitest'
import { Bindings } from '../../src/main/state/bindings.ts'
import { type SessionKey, sourceId } from '../../src/shared/ids.ts'

const s = 'session' as SessionKey
const [a, b] = [sourceId('a'), sourceId('b')]
const used = (source: typeof a, boundAtMs: number, lastUsedMs = boundAtMs) => ({
  ...binding(source, boundAtMs, lastUsedMs),
  model: null,
})
const binding = (source: typeof a, boundAtMs: number, lastUsedMs = boundAtMs) => ({
  session: s,
  sourceId: source,
  boundAtMs,
  lastUsedMs,
})
const dayMs = 86_400_000

test('a reserved one counts at once, so that parallel first requests agree', () => {
  const bindings = new Bindings([], 0)
  bindings.reserve(s, a, 5)
  expect([bindings.get(s), bindings.takeChanges()]).toEqual([binding(a, 5), { bindings: [], unbound: [] }])
})

test('a confirmed one is written, keeps its beginning and stays warm', () => {
  const bindings = new Bindings([], 0)
  bindings.reserve(s, a, 5)
  bindings.confirm(s, a, 9)
  bindings.confirm(s, a, 12)
  expect(bindings.takeChanges()).toEqual({ bindings: [used(a, 5, 12)], unbound: [] })
  expect(bindings.takeChanges()).toEqual({ bindings: [], unbound: [] })
})

describe('released', () => {
  test('an unconfirmed one is gone', () => {
    const bindings = new Bindings([], 0)
    bindings.reserve(s, a, 5)
    bindings.release(s)
    expect([bindings.get(s), bindings.size]).toEqual([undefined, 0])
  })

  test('a confirmed one stays', () => {
    const bindings = new Bindings([binding(a, 1)], 2)
    bindings.release(s)
    expect(bindings.get(s)).toEqual(binding(a, 1))
  })

  test('a changed one goes back to what was confirmed before', () => {
    const bindings = new Bindings([binding(a, 1)], 2)
    bindings.reserve(s, b, 5)
    expect(bindings.get(s)).toEqual(binding(b, 5))
    bindings.release(s)
    expect(bindings.get(s)).toEqual(binding(a, 1))
  })

  test('by one of two that hold it, it stays for the other', () => {
    const bindings = new Bindings([], 0)
    bindings.reserve(s, a, 5)
    bindings.reserve(s, a, 6)
    bindings.release(s)
    expect(bindings.get(s)).toEqual(binding(a, 5))
    bindings.release(s)
    expect(bindings.get(s)).toBeUndefined()
  })

  test('after the other confirmed it, it stays', () => {
    const bindings = new Bindings([], 0)
    bindings.reserve(s, a, 5)
    bindings.reserve(s, a, 6)
    bindings.confirm(s, a, 7)
    bindings.release(s)
    bindings.release(s)
    expect(bindings.get(s)).toEqual(used(a, 5, 7))
  })
})

test('confirmed on another account than was reserved, it begins there', () => {
  const bindings = new Bindings([], 0)
  bindings.reserve(s, a, 5)
  bindings.confirm(s, b, 9)
  bindings.release(s)
  expect(bindings.get(s)).toEqual(used(b, 9))
})

test('forgotten ones are unwritten; only those that match', () => {
  const other = { session: 'other' as SessionKey, sourceId: b, boundAtMs: 1, lastUsedMs: 1 }
  const bindings = new Bindings([binding(a, 1), other], 2)
  expect(bindings.forget(({ sourceId: source }) => source === a)).toBe(1)
  expect([bindings.all(), bindings.takeChanges()]).toEqual([[other], { bindings: [], unbound: [s] }])
})

test('after 30 days without use one is forgotten at the next start', () => {
  expect(new Bindings([binding(a, 0)], 30 * dayMs).size).toBe(1)
  const bindings = new Bindings([binding(a, 0)], 30 * dayMs + 1)
  expect([bindings.size, bindings.takeChanges()]).toEqual([0, { bindings: [], unbound: [s] }])
})
