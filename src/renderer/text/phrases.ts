/**
 * Says a sentence of the program in another language: by templates, since such sentences are stored with calls and read
 * again by a window in any language. Pure.
 *
 * A template has holes: `{why}` takes any text, which is itself said if it is known and no name; `{verb:verbs}` takes only what the
 * table `verbs` knows. A full stop at a template's end may be missing in the text, and is then left out of both.
 */

/** Templates of the program's own language, each with its translation. */
export type Phrases = Readonly<Record<string, string>>

export interface Tables {
  /** What a hole without a table takes, if it is known. */
  readonly any: Phrases
  readonly [name: string]: Phrases
}

interface Hole {
  readonly name: string
  /** Null: takes any text. */
  readonly table: string | null
}

interface Template {
  readonly matches: RegExp
  readonly holes: readonly Hole[]
  /** A piece of text that every match holds, to pass over the others quickly. */
  readonly anchor: string
  /** It begins with text of its own, so that a match is not found in the middle of another sentence. */
  readonly isOpening: boolean
  /** What stands outside the holes, or in a hole whose table is known: the more, the more is said by a match. */
  readonly weight: number
  readonly translation: string
}

interface Table {
  readonly whole: ReadonlyMap<string, string>
  readonly templates: readonly Template[]
}

/** Holes that take a name, which stays as it is although it may read like a sentence. */
const named: ReadonlySet<string> = new Set([
  ...['address', 'client', 'family', 'file', 'first', 'folder', 'host', 'id', 'key', 'label', 'model', 'name', 'names'],
  ...['path', 'pool', 'second', 'shown', 'vendor', 'wanted'],
])

const holePattern = /\{(\w+)(?::(\w+))?\}/g

/** The text in the other language, null where no template of the table knows it. */
export type Say = (text: string, table?: string) => string | null

export function sayBy(tables: Tables): Say {
  const compiled = new Map(Object.entries(tables).map(([name, phrases]) => [name, compile(phrases, tables)]))
  const say: Say = (text, name = 'any') => {
    const table = compiled.get(name)
    if (table === undefined) return null
    const whole = table.whole.get(text)
    if (whole !== undefined) return whole
    for (const template of table.templates) {
      const found = text.includes(template.anchor) ? template.matches.exec(text) : null
      const said = found === null ? null : filled(template, found, say)
      if (said !== null) return text.endsWith('.') ? said : said.replace(/。$/, '')
    }
    return null
  }
  return say
}

/** Null where a hole holds what its table doesn't know. */
function filled({ holes, translation }: Template, found: RegExpExecArray, say: Say): string | null {
  const values = new Map<string, string>()
  for (const [index, { name, table }] of holes.entries()) {
    const text = found[index + 1] ?? ''
    if (table === null) values.set(name, text)
    else {
      const said = say(text, table)
      if (said === null) return null
      values.set(name, said)
    }
  }
  const taken = new Set(holes.flatMap(({ name, table }) => (table === null ? [] : [name])))
  const inPlace = (name: string, table: string | undefined): string => {
    const text = values.get(name) ?? ''
    if (taken.has(name)) return text
    const own = table === undefined ? null : say(text, table)
    return own ?? (named.has(name) ? text : (say(text) ?? text))
  }
  let whole = ''
  let end = 0
  for (const hole of translation.matchAll(holePattern)) {
    const [{ length }, name = '', table] = hole
    whole = spaced(spaced(whole, translation.slice(end, hole.index)), inPlace(name, table))
    end = hole.index + length
  }
  return spaced(whole, translation.slice(end))
}

/** One space between Han and Latin where a hole begins or ends, none between Han and Han. */
function spaced(before: string, after: string): string {
  const meetsHan = /^[\p{Script=Han}，。；：（）]/u.test(after)
  if (before.endsWith(' ') && meetsHan && /[\p{Script=Han}，。；：（）] $/u.test(before))
    return before.slice(0, -1) + after
  if (after.startsWith(' ') && /\p{Script=Han}$/u.test(before) && /^ [\p{Script=Han}]/u.test(after))
    return before + after.slice(1)
  const differs =
    (/\p{Script=Han}$/u.test(before) && /^[A-Za-z0-9]/.test(after)) ||
    (/[A-Za-z0-9]$/.test(before) && /^\p{Script=Han}/u.test(after))
  return differs ? `${before} ${after}` : before + after
}

function compile(phrases: Phrases, tables: Tables): Table {
  const entries = Object.entries(phrases)
  const plain = entries.filter(([text]) => !text.includes('{'))
  return {
    whole: new Map(
      plain.flatMap(([text, said]) => [
        [text, said],
        [text.replace(/\.$/, ''), said.replace(/。$/, '')],
      ]),
    ),
    templates: entries
      .filter(([text]) => text.includes('{'))
      .map(([text, translation]) => templateOf(text, translation, tables))
      .sort((a, b) => Number(b.isOpening) - Number(a.isOpening) || b.weight - a.weight),
  }
}

function templateOf(text: string, translation: string, tables: Tables): Template {
  const holes = [...text.matchAll(holePattern)].map(([, name = '', table = null]) => ({ name, table }))
  const pieces = text.replace(/\.$/, '').split(/\{\w+(?::\w+)?\}/)
  const [anchor = ''] = [...pieces].sort((a, b) => b.length - a.length)
  const end = text.endsWith('.') ? '\\.?' : ''
  return {
    matches: new RegExp(`^${patternOf(text.replace(/\.$/, ''), tables, [], true)}${end}$`, 's'),
    holes,
    anchor,
    isOpening: pieces[0] !== '',
    weight: pieces.join('').length + 100 * holes.filter(({ table }) => table !== null).length,
    translation,
  }
}

/** Tables stand in the pattern as their alternatives, so that two holes side by side are told apart. */
function patternOf(text: string, tables: Tables, within: readonly string[], isOuter: boolean): string {
  const literal = text.split(/(\{\w+(?::\w+)?\})/).map((piece) => {
    const [hole, , table] = /^\{(\w+)(?::(\w+))?\}$/.exec(piece) ?? []
    if (hole === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const inner =
      table === undefined || table === 'any' || within.includes(table) ? '.*?' : alternatives(table, tables, within)
    return isOuter ? `(${inner})` : `(?:${inner})`
  })
  return literal.join('')
}

const alternatives = (name: string, tables: Tables, within: readonly string[]): string =>
  Object.keys(tables[name] ?? {})
    .sort((a, b) => b.length - a.length)
    .map((text) => patternOf(text, tables, [...within, name], false))
    .join('|')
