/** A change to a client's configuration as text edits that can be taken back exactly. Pure. */

/** One replacement; offsets count UTF-16 units of the text before any edit. */
export interface Edit {
  readonly at: number
  readonly removed: string
  readonly added: string
}

export interface Change {
  readonly before: string
  readonly after: string
  /** In order, not overlapping. */
  readonly edits: readonly Edit[]
}

export function change(before: string, edits: readonly Edit[]): Change {
  const ordered = [...edits].sort((a, b) => a.at - b.at)
  let after = ''
  let at = 0
  for (const edit of ordered) {
    after += before.slice(at, edit.at) + edit.added
    at = edit.at + edit.removed.length
  }
  return { before, after: after + before.slice(at), edits: ordered }
}

/** One line of the preview: what goes, what comes, where. */
export interface PreviewLine {
  /** In the file as it is (removed) or as it will be (added); from 1. */
  readonly line: number
  readonly kind: 'added' | 'removed'
  readonly text: string
}

/** The lines that differ, shown before anything is written; a secret is masked by `mask`. */
export function previewLines({ before, after }: Change, mask: (line: string) => string): readonly PreviewLine[] {
  const old = lines(before)
  const fresh = lines(after)
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1
  const removed = old.slice(start, old.length - end)
  const added = fresh.slice(start, fresh.length - end)
  const kept = new Set(removed.filter((line) => added.includes(line)))
  return [
    ...removed.map((text, index) => ({ line: start + index + 1, kind: 'removed', text }) as const),
    ...added.map((text, index) => ({ line: start + index + 1, kind: 'added', text }) as const),
  ]
    .filter((line) => !kept.has(line.text))
    .map((line) => ({ ...line, text: mask(line.text) }))
}

/** The end of the last line begins no further one. */
const lines = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/(?:\r\n|\n|\r)$/, '').split(/\r\n|\n|\r/)

/** The line ending a file uses; LF for an empty one. */
export const lineEnding = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')
