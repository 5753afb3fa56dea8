/** Calls as CSV: every cell quoted, none that a spreadsheet would take for a formula (T4.6). */
import type { CallDetail } from './call-types.ts'

type Cell = string | number | null

const columns: readonly (readonly [string, (detail: CallDetail) => Cell])[] = [
  ['id', ({ call }) => call.id],
  ['started', ({ call }) => new Date(call.startedMs).toISOString()],
  ['provider', ({ call }) => call.providerId],
  ['operation', ({ call }) => call.operation],
  ['dialect', ({ call }) => call.dialect],
  ['requested model', ({ call }) => call.requestedModel],
  ['used model', ({ call }) => call.upstreamModel],
  ['source type', ({ call }) => call.sourceType],
  ['source id', ({ call }) => call.sourceId],
  ['served by', ({ call }) => call.sourceLabel],
  ['in place of', ({ call }) => call.stoodInFor],
  ['key id', ({ call }) => call.keyId],
  ['outcome', ({ call }) => call.outcome ?? 'open'],
  ['status', ({ call }) => call.status],
  ['error', ({ call }) => call.errorCode],
  ['attempts', ({ call }) => call.attempts],
  ['tried', ({ executions }) => executions.map(({ sourceLabel, because }) => `${sourceLabel}: ${because}`).join('; ')],
  ['input tokens', ({ call }) => call.usage?.inputTokens ?? null],
  ['cache read tokens', ({ call }) => call.usage?.cacheReadTokens ?? null],
  ['cache write tokens', ({ call }) => call.usage?.cacheWriteTokens ?? null],
  ['output tokens', ({ call }) => call.usage?.outputTokens ?? null],
  ['reasoning tokens', ({ call }) => call.usage?.reasoningTokens ?? null],
  ['cost USD', ({ call }) => (call.cost === null ? null : (call.cost / 1_000_000_000).toFixed(9))],
  ['first byte ms', ({ call }) => call.firstByteMs],
  ['total ms', ({ call }) => call.totalMs],
  ['bytes in', ({ call }) => call.bytesIn],
  ['bytes out', ({ call }) => call.bytesOut],
  ['client', ({ call }) => call.client],
  ['session', ({ call }) => call.session],
  ['why', ({ call }) => call.sentence],
]

/** Also the full-width forms, which some spreadsheets read the same, and what hides them behind white space. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

export const csvCell = (cell: Cell): string => {
  const text = cell === null ? '' : String(cell)
  const isRisky = typeof cell === 'string' && formula.test(text)
  return `"${isRisky ? `'` : ''}${text.replaceAll('"', '""')}"`
}

const line = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** With the mark by which spreadsheets know UTF-8. */
export const csvHead = `\ufeff${line(columns.map(([name]) => name))}`

export const csvLines = (details: readonly CallDetail[]): string =>
  details.map((detail) => line(columns.map(([, cellOf]) => cellOf(detail)))).join('')
