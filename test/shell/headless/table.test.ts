/** Tables for people: aligned by what a terminal shows, cut in the last column, one line a row whatever a cell holds. */
import { describe, expect, test } from 'vitest'
import { facts, table, widthOf } from '../../../src/main/shell/headless/cli/table.ts'

const columns = [{ title: 'NAME' }, { title: 'USED', align: 'right' }, { title: 'WHY' }] as const

test('columns are as wide as their widest cell, numbers stand right', () => {
  const rows = [
    ['work', '4 %', 'Ready.'],
    ['a longer one', '100 %', 'Weekly window spent.'],
  ]
  expect(table(columns, rows, null)).toBe(
    ['NAME           USED  WHY', 'work            4 %  Ready.', 'a longer one  100 %  Weekly window spent.'].join('\n'),
  )
})

test('only the last column is cut, where the terminal ends', () => {
  const rows = [['work', '4 %', 'A sentence that is far too long for it.']]
  const lines = table(columns, rows, 30).split('\n')
  expect(lines).toEqual(['NAME  USED  WHY', 'work   4 %  A sentence that i…'])
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30)
})

test('no rows are said in a word', () => {
  expect(table(columns, [], null)).toBe('(none)')
})

test('T4.5 a cell can break neither its line nor the terminal', () => {
  const [, line = '', ...more] = table(columns, [['a\nb\tc', '\u001b[2J', '\u009b31m\u202ex']], null).split('\n')
  expect(more).toEqual([])
  expect(line).toBe('a b c  �[2J  �31m�x')
})

describe('widths as a terminal counts them', () => {
  test.each([
    ['plain', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['账户', 4],
    ['한글', 4],
    ['🚂', 2],
    ['…→–', 3],
    ['\u200b', 0],
  ])('%s is %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  test('so wide characters stay in line', () => {
    const [, first = '', second = ''] = table(
      [{ title: 'N' }, { title: 'X' }],
      [
        ['账户', '|'],
        ['abcd', '|'],
      ],
      null,
    ).split('\n')
    expect(widthOf(first)).toBe(widthOf(second))
  })
})

test('facts stand in two columns', () => {
  expect(
    facts([
      ['Address', 'http://x'],
      ['Data', '/y'],
    ]),
  ).toBe('  Address  http://x\n  Data     /y')
})
