/** What is typed into the editors of keys, budgets and prices, and what becomes of it. */
import { describe, expect, test } from 'vitest'
import { dollarText, rateText, readDollars, readRate } from '../../../src/renderer/profiles/dollars.ts'
import { limitsDraft, readCap, readExpiry, writtenLimits } from '../../../src/renderer/profiles/limits-draft.ts'
import {
  freshPolicy,
  isWhole,
  policyDraft,
  type StoredPolicy,
  writtenPolicy,
} from '../../../src/renderer/profiles/policy-draft.ts'
import {
  type Price,
  priceDraft,
  readFactors,
  withPrice,
  writtenPrice,
} from '../../../src/renderer/profiles/price-draft.ts'
import type { AccessKey } from '../../../src/renderer/state/sources.ts'

describe('a policy', () => {
  const policies: readonly (StoredPolicy | null)[] = [
    null,
    { mode: 'default' },
    { mode: 'strict', sources: ['b', 'a'] },
    { mode: 'pool', sources: ['b', 'a'], strategy: 'least-used' },
    { mode: 'preferred', sources: ['b'], fallback: 'default' },
    { mode: 'preferred', sources: ['b'], fallback: 'none' },
    { mode: 'preferred', sources: ['b'], fallback: { sources: ['c', 'a'], strategy: 'ordered' } },
  ]
  test.each(policies)('is written as it was stored: %j', (policy) => {
    expect(writtenPolicy(policyDraft(policy))).toEqual(policy)
  })

  test('keeps what another mode would need while one is tried out', () => {
    const draft = policyDraft({ mode: 'pool', sources: ['b'], strategy: 'smart' })
    expect(writtenPolicy({ ...draft, mode: 'default' })).toEqual({ mode: 'default' })
    expect(writtenPolicy({ ...draft, mode: 'strict' })).toEqual({ mode: 'strict', sources: ['b'] })
  })

  test.each([
    ['every account', freshPolicy, true],
    ['nobody named', { ...freshPolicy, mode: 'strict' as const }, false],
    [
      'a fallback set of nobody',
      { ...freshPolicy, mode: 'preferred' as const, sources: ['a'], fallback: 'set' as const },
      false,
    ],
    ['one of another mode', { ...freshPolicy, fallback: 'set' as const }, true],
  ])('with %s is whole: %s', (_, draft, whole) => {
    expect(isWhole(draft)).toBe(whole)
  })
})

const key: AccessKey = {
  ...{ id: 'k', label: 'mine', preview: 'pk_…abcd', state: 'active', expiresAtMs: null, policy: { mode: 'default' } },
  ...{ providers: null, models: null, operations: null, serviceTiers: null, concurrency: null, budgetId: null },
  ...{ folders: [], createdAtMs: 0, updatedAtMs: 0 },
}

describe('limits', () => {
  const limited: AccessKey = {
    ...key,
    expiresAtMs: new Date(2031, 1, 28, 18, 30).getTime(),
    ...{
      providers: ['any', 'codex'],
      models: ['a', 'b'],
      operations: ['count'],
      serviceTiers: ['flex'],
      concurrency: 4,
    },
  }
  test.each([key, limited])('are written as they were stored', (one) => {
    const { label, expiresAtMs, concurrency, providers, models, operations, serviceTiers } = one
    const same = { label, expiresAtMs, concurrency, providers, models, operations, serviceTiers }
    expect(writtenLimits(limitsDraft(one))).toEqual(same)
  })

  test('read lists line by line and comma by comma, each name once', () => {
    const draft = limitsDraft(key)
    const written = writtenLimits({
      ...draft,
      models: { all: false, some: [], text: ' a \n\nb\na' },
      serviceTiers: { all: false, some: [], text: 'flex, default ,flex' },
    })
    expect(written).toMatchObject({ models: ['a', 'b'], serviceTiers: ['flex', 'default'] })
  })

  test.each([
    ['no name', { label: ' ' }],
    ['a list of nothing', { providers: { all: false, some: [] } }],
    ['a date that is none', { expires: '2031-02-30' }],
    ['a cap of nothing', { concurrency: '0' }],
  ])('are not written with %s', (_, change) => {
    expect(writtenLimits({ ...limitsDraft(key), ...change })).toBeNull()
  })

  test.each([
    ['', null],
    ['2031-02-28', new Date(2031, 1, 28).getTime()],
    ['2031-02-28 07:05', new Date(2031, 1, 28, 7, 5).getTime()],
    ['2031-02-28T07:05', new Date(2031, 1, 28, 7, 5).getTime()],
    ['2031-13-01', undefined],
    ['2031-02-28 24:00', undefined],
    ['28.2.2031', undefined],
  ])('the day “%s” is %s', (text, atMs) => {
    expect(readExpiry(text)).toBe(atMs)
  })

  test.each([
    ['', null],
    ['1', 1],
    ['1000', 1_000],
    ['1001', undefined],
    ['0', undefined],
    ['1.5', undefined],
  ])('the cap “%s” is %s', (text, cap) => {
    expect(readCap(text)).toBe(cap)
  })
})

describe('money', () => {
  test.each([
    ['0.5', 500_000_000],
    ['12,34', 12_340_000_000],
    ['0.000000001', 1],
    ['1000000', 1_000_000_000_000_000],
    ['1000000.1', null],
    ['-1', null],
    ['1e3', null],
    ['', null],
  ])('“%s” is %s nano-USD', (text, amount) => {
    expect(readDollars(text)).toBe(amount)
  })

  test.each([1, 500_000_000, 12_340_000_000, 1_000_000_000_000_000])('%i is typed as it is read', (amount) => {
    expect(readDollars(dollarText(amount))).toBe(amount)
  })

  test.each([0, 25, 250, 1_250, 75_000, 0.001])('a rate of %d nano-USD a token is typed as it is read', (rate) => {
    expect(readRate(rateText(rate))).toBe(rate)
  })
})

describe('own prices', () => {
  const price: Price = {
    ...{ model: 'm', fromMs: new Date(2026, 10, 1).getTime(), input: 2_000, cacheRead: 200, cacheWrite: 2_500 },
    ...{ cacheWriteLong: 4_000, output: 10_000, tiers: { flex: 0.5 } },
    long: {
      aboveTokens: 200_000,
      input: 4_000,
      cacheRead: 400,
      cacheWrite: 5_000,
      cacheWriteLong: 8_000,
      output: 15_000,
    },
  }
  test('are written as they were stored', () => {
    expect(writtenPrice(priceDraft('m', price, price.fromMs))).toEqual(price)
  })

  test('an empty cache rate is the one of plain input; an empty output rate is missing', () => {
    const draft = priceDraft('m', null, 0)
    const rates = { ...draft.rates, input: '2', output: '8' }
    expect(writtenPrice({ ...draft, rates })).toMatchObject({ fromMs: 0, cacheRead: 2_000, cacheWriteLong: 2_000 })
    expect(writtenPrice({ ...draft, rates: { ...rates, output: '' } })).toBeNull()
    expect(writtenPrice({ ...draft, rates, model: ' ' })).toBeNull()
  })

  test('rates of long prompts are written while they are wanted, and only whole', () => {
    const draft = priceDraft('m', price, 0)
    expect(writtenPrice({ ...draft, hasLong: false })?.long).toBeNull()
    const longRates = { ...draft.longRates, cacheRead: '' }
    expect(writtenPrice({ ...draft, longAbove: ' 272000 ', longRates })?.long).toEqual({
      ...price.long,
      ...{ aboveTokens: 272_000, cacheRead: 4_000 },
    })
    for (const longAbove of ['', '0', '1.5', '1e6']) expect(writtenPrice({ ...draft, longAbove })).toBeNull()
    expect(writtenPrice({ ...draft, longRates: { ...longRates, output: '' } })).toBeNull()
  })

  test.each([
    ['', {}],
    [' flex = 0.5 \n\npriority=2,5', { flex: 0.5, priority: 2.5 }],
    ['flex 0.5', null],
    ['= 2', null],
    ['flex = -1', null],
    ['flex = 1001', null],
    ['flex = 1\nflex = 2', null],
  ])('the factors “%s” are %j', (text, factors) => {
    expect(readFactors(text)).toEqual(factors)
  })

  test('one of the same model and day takes its place; the others stay, by model, the newest first', () => {
    const [old, later, other] = [price, { ...price, fromMs: price.fromMs + 1 }, { ...price, model: 'a' }]
    const all = withPrice(withPrice([old], later, null), other, null)
    expect(all).toEqual([other, later, old])
    expect(withPrice(all, { ...old, input: 1 }, null)).toEqual([other, later, { ...old, input: 1 }])
    expect(withPrice(all, { ...old, model: 'b' }, old)).toEqual([other, { ...old, model: 'b' }, later])
  })
})
