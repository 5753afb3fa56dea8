/** The sentences and parts of sentences that stand in the program's source, read from its syntax. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

export interface Literal {
  readonly file: string
  /** `{}` where a value is put in. */
  readonly text: string
}

const filesUnder = (path: string): readonly string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesUnder(join(path, name))) : [path]

/** Two words in a row, or a word with a full stop: what a person would read as a sentence or a part of one. */
const isWords = (text: string): boolean => /[A-Za-z}’]{1,} [A-Za-z{]|[a-z]\.$/.test(text)

export const literalsUnder = (paths: readonly string[]): readonly Literal[] =>
  paths
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      textsIn(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }))
        .filter(isWords)
        .map((text) => ({ file, text })),
    )

function textsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, value, quasis } = node as { type?: unknown; value?: unknown; quasis?: readonly Quasi[] }
  if (type === 'ImportDeclaration' || type === 'TSLiteralType') return []
  const own =
    type === 'Literal' && typeof value === 'string'
      ? [value]
      : type === 'TemplateLiteral' && quasis !== undefined
        ? [quasis.map((part) => part.value.cooked ?? '').join('{}')]
        : []
  return [...own, ...Object.values(node).flatMap(textsIn)]
}

interface Quasi {
  readonly value: { readonly cooked?: string | null }
}
