/** Lengths of time, points in time and sizes as the window says them, in both languages. */
import { describe, expect, test } from 'vitest'
import { en } from '../../../src/renderer/text/en.ts'
import { format } from '../../../src/renderer/text/formatting.ts'
import { zh } from '../../../src/renderer/text/zh.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const english = format('en', en.ui)
const chinese = format('zh', zh.ui)

describe('a length of time', () => {
  test.each([
    [-5, '0 s', '0 秒'],
    [999, '0 s', '0 秒'],
    [59 * second, '59 s', '59 秒'],
    [minute, '1 min', '1 分钟'],
    [38 * minute + 59 * second, '38 min', '38 分钟'],
    [hour, '1 h', '1 小时'],
    [hour + 12 * minute, '1 h 12 min', '1 小时 12 分钟'],
    [day, '1 d', '1 天'],
    [3 * day + 4 * hour + 59 * minute, '3 d 4 h', '3 天 4 小时'],
  ])('of %d ms is %s', (ms, inEnglish, inChinese) => {
    expect([english.duration(ms), chinese.duration(ms)]).toEqual([inEnglish, inChinese])
  })
})

describe('a point in time', () => {
  const now = new Date(2026, 10, 25, 15, 0).getTime()
  test.each([
    [new Date(2026, 10, 25, 16, 40), '16:40', '16:40'],
    [new Date(2026, 10, 26, 7, 0), 'Thu 07:00', '周四 07:00'],
    [new Date(2026, 11, 9, 7, 0), '9 Dec', '12月9日'],
  ])('%s', (at, inEnglish, inChinese) => {
    expect([english.soon(at.getTime(), now), chinese.soon(at.getTime(), now)]).toEqual([inEnglish, inChinese])
  })
})

test('sizes and numbers have units and groups', () => {
  expect([0, 512, 2048, 5 * 1024 ** 2, 1.5 * 1024 ** 3].map(english.bytes)).toEqual([
    '0 B',
    '512 B',
    '2 kB',
    '5 MB',
    '1.5 GB',
  ])
  expect(english.number(48_210)).toBe('48,210')
})
