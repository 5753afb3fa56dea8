/** One line of the log. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of our own, since only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: of the grid, the row takes the focus
import { Split } from 'lucide-react'
import { memo } from 'react'
import { useNow } from '../state/now.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { type CallFormat, useCallFormat } from './call-format.ts'
import type { CallRow } from './call-types.ts'
import { OutcomeMark } from './outcome.tsx'

export const columns = ['time', 'model', 'served', 'key', 'outcome', 'tokens', 'cost', 'firstByte', 'total'] as const
export type Column = (typeof columns)[number]

export interface CallLineProps {
  readonly place: number
  /** Among the grid's rows: the header is the first, an explanation counts. */
  readonly rowIndex: number
  /** Undefined while it is being read. */
  readonly call: CallRow | undefined
  readonly keyLabel: string | undefined
  /** Of the account that was wanted, where another one served. */
  readonly wantedLabel: string | undefined
  readonly top: number
  readonly todayMs: number
  readonly isOpen: boolean
  readonly canFocus: boolean
}

/** Clicks and keys are heard by the grid. */
export const CallLine = memo(function CallLine(props: CallLineProps) {
  const { place, rowIndex, call, keyLabel, wantedLabel, top, todayMs, isOpen, canFocus } = props
  const texts = useTexts()
  const format = useCallFormat()
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      data-place={place}
      className={isOpen ? 'call-row is-open' : 'call-row'}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={canFocus ? 0 : -1}
    >
      {columns.map((column, index) => (
        <div key={column} role="gridcell" aria-colindex={index + 1} className={`call-cell cell-${column}`}>
          {column === 'time' && (
            <button
              type="button"
              className="call-opener"
              tabIndex={-1}
              aria-label={texts.calls.explain}
              aria-expanded={isOpen}
              disabled={call === undefined}
            />
          )}
          {call !== undefined && cellOf(column, call, { keyLabel, wantedLabel, todayMs, format, texts })}
        </div>
      ))}
    </div>
  )
})

interface Shown {
  readonly keyLabel: string | undefined
  readonly wantedLabel: string | undefined
  readonly todayMs: number
  readonly format: CallFormat
  readonly texts: Texts
}

/** No component of its own: nine of them a row would cost more than what is in them while the log is scrolled. */
function cellOf(column: Column, call: CallRow, shown: Shown) {
  const {
    keyLabel,
    wantedLabel,
    todayMs,
    format,
    texts: { calls: texts, said, ui },
  } = shown
  const { requestedModel, upstreamModel, usage, cost, firstByteMs, totalMs } = call
  switch (column) {
    case 'time':
      return <span className="call-moment">{format.moment(call.startedMs, todayMs)}</span>
    case 'model':
      return cut(modelText(requestedModel, upstreamModel) ?? ui.missing)
    case 'served':
      if (call.sourceLabel === null)
        return <span className="is-faint">{call.outcome === null ? ui.missing : texts.noOne}</span>
      return wantedLabel === undefined ? (
        cut(call.sourceLabel)
      ) : (
        <span className="stood-in">
          {cut(call.sourceLabel)}
          <span className="stood-in-mark" title={visible(texts.inPlaceOf(wantedLabel, said.sentence(call.sentence)))}>
            <Split size={13} aria-hidden="true" />
            <span className="visually-hidden">{visible(texts.wanted(wantedLabel))}</span>
          </span>
        </span>
      )
    case 'key':
      return cut(keyLabel ?? call.keyId)
    case 'outcome':
      return <OutcomeMark call={call} />
    case 'tokens':
      return usage === null
        ? ui.missing
        : texts.inTokens(format.count(usage.inputTokens), format.count(usage.outputTokens))
    case 'cost':
      return cost === null ? ui.missing : format.money(cost)
    case 'firstByte':
      return firstByteMs === null ? ui.missing : format.took(firstByteMs)
    case 'total':
      if (totalMs !== null) return format.took(totalMs)
      return call.outcome === null ? <Elapsed sinceMs={call.startedMs} format={format} /> : ui.missing
  }
}

/** In full in the tooltip, where there is no room for it. */
function cut(text: string) {
  const shown = visible(text)
  return (
    <bdi className="call-cut" title={shown}>
      {shown}
    </bdi>
  )
}

/** Asked → used, where they differ. */
export const modelText = (asked: string | null, used: string | null): string | null =>
  asked === null || used === null || asked === used ? (asked ?? used) : `${asked} → ${used}`

function Elapsed({ sinceMs, format }: { readonly sinceMs: number; readonly format: CallFormat }) {
  const nowMs = useNow()
  return <span className="is-faint">{format.took(Math.max(0, Math.floor((nowMs - sinceMs) / 1_000) * 1_000))}</span>
}
