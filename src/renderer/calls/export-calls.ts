/** Reads every call of a filter, page by page, into a file: each page becomes a blob at once, so none stays as text. */
import { client } from '../bridge/client.ts'
import type { Filter } from './call-types.ts'
import { csvHead, csvLines } from './csv.ts'

export type ExportFormat = 'csv' | 'json'

export interface ExportAsk {
  readonly format: ExportFormat
  readonly filter: Filter
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

const pageLength = 500

export async function exportCalls({ format, filter, signal, onProgress }: ExportAsk): Promise<Blob> {
  const parts: Blob[] = [new Blob([format === 'csv' ? csvHead : '['])]
  let count = 0
  for (let before: string | null | undefined; before !== null; ) {
    const page = await client.calls.export({ limit: pageLength, filter, before }, { signal })
    if (signal.aborted) throw new DOMException('stopped', 'AbortError')
    if (format === 'csv') parts.push(new Blob([csvLines(page.calls)]))
    else {
      const begins = count === 0 ? '\n' : ',\n'
      if (page.calls.length > 0) parts.push(new Blob([begins, page.calls.map(jsonLine).join(',\n')]))
    }
    count += page.calls.length
    onProgress(count)
    before = page.next
  }
  if (format === 'json') parts.push(new Blob(['\n]\n']))
  return new Blob(parts, { type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json' })
}

/** What turns a line around in an editor is written as its number; JSON means the same by it. */
const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
