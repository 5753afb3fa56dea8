/** The two tables say the same things: no text is empty, English in Chinese, or without what it was given. */
import { describe, expect, test } from 'vitest'
import type { Texts } from '../../../src/renderer/text/en.ts'
import { en } from '../../../src/renderer/text/en.ts'
import { zh } from '../../../src/renderer/text/zh.ts'

type Table = { readonly [key: string]: unknown }

/** What the program itself says has a test of its own. */
const withoutSaid = ({ said, ...own }: Texts): Table => own

/** Every leaf with its path; a function is called with marks that must come out again. */
function leaves(table: Table, path = ''): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'function') return [[here, String(value(...marks.slice(0, value.length)))]]
    return leaves(value as Table, here)
  })
}
const marks = ['«1»', '«2»', '«3»', '«4»']

const english = new Map(leaves(withoutSaid(en)))
const chinese = new Map(leaves(withoutSaid(zh)))

describe('texts', () => {
  test('are many enough to have been found', () => expect(english.size).toBeGreaterThan(200))

  test('are never empty, never shout, and use what they are given', () => {
    const wrong = [...english, ...chinese].filter(([path, text]) => {
      const given = marks.filter((mark) => english.get(path)?.includes(mark))
      return text.trim() === '' || /[!！]/.test(text) || given.some((mark) => !text.includes(mark))
    })
    expect(wrong).toEqual([])
  })

  test('in Chinese hold Chinese, names and units apart', () => {
    const plain = [...chinese].filter(
      ([path, text]) => !/[\p{Script=Han}，。：（）]/u.test(text) && text !== english.get(path),
    )
    expect(plain).toEqual([])
    const same = [...chinese].filter(([path, text]) => text === english.get(path)).map(([, text]) => text)
    // What both languages share is short, names of products and units, or a command to type.
    expect(same.filter((text) => text.length > 40 && !text.startsWith('curl '))).toEqual([])
  })
})
