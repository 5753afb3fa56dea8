/** All windows on one time line, each from its begin to its reset; the table says the same in words. */
import { useState } from 'react'
import { useLanguage } from '../state/choices.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { localeOf } from '../text/locale.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { calendarMirror, type Entry, placeIn, spanOf } from './outlook-data.ts'
import { windowName } from './window-name.ts'

export function Calendar() {
  const { outlook, ui, calls } = useTexts()
  const texts = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const [isTable, setTable] = useState(false)
  const { value: entries, problem } = useMirror(calendarMirror)
  if (entries === null) return <ProblemNotice problem={problem} />
  if (entries.length === 0) return <p className="outlook-empty">{outlook.noQuota}</p>
  const { account, window, used, begins, renews } = outlook.columns
  const usedText = ({ usedPercent }: Entry): string =>
    usedPercent === null ? ui.missing : `${format.number(Math.round(Math.min(100, usedPercent)))} %`
  return (
    <>
      <div className="outlook-tools">
        <Button kind="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? outlook.asTimeLine : calls.asTable}
        </Button>
      </div>
      {isTable ? (
        <DataTable
          name={outlook.parts.calendar}
          columns={[
            { head: account },
            { head: window },
            { head: used, isNumber: true },
            { head: begins },
            { head: renews },
          ]}
          rows={entries.map((entry) => ({
            key: keyOf(entry),
            cells: [
              <bdi key="name">{visible(entry.label)}</bdi>,
              windowName(entry, texts),
              usedText(entry),
              entry.startsAtMs === null ? ui.missing : format.soon(entry.startsAtMs, nowMs),
              format.soon(entry.resetAtMs, nowMs),
            ],
          }))}
        />
      ) : (
        <TimeLine entries={entries} nowMs={nowMs} usedText={usedText} />
      )}
    </>
  )
}

const keyOf = ({ sourceId, window, family }: Entry): string => `${sourceId} ${window} ${family ?? ''}`

/** A day's name that begins later than this, in percent, would be cut off. */
const roomForDay = 93

interface TimeLineProps {
  readonly entries: readonly Entry[]
  readonly nowMs: number
  readonly usedText: (entry: Entry) => string
}

function TimeLine({ entries, nowMs, usedText }: TimeLineProps) {
  const texts = useTexts()
  const format = useFormat()
  const locale = localeOf[useLanguage()]
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' })
  const span = spanOf(nowMs)
  const now = `${placeIn(span, nowMs)}%`
  return (
    <ul className="time-line" aria-label={texts.outlook.parts.calendar}>
      <li className="time-row time-days" aria-hidden="true">
        <span className="time-track">
          {span.days
            .filter((day) => placeIn(span, day) < roomForDay)
            .map((day) => (
              <span key={day} className="time-day" style={{ insetInlineStart: `${placeIn(span, day)}%` }}>
                {weekday.format(day)}
              </span>
            ))}
        </span>
      </li>
      {entries.map((entry) => {
        const { label, startsAtMs, resetAtMs, usedPercent, state } = entry
        const from = placeIn(span, startsAtMs ?? span.fromMs)
        const width = Math.max(0.5, placeIn(span, resetAtMs) - from)
        const filled = Math.min(100, usedPercent ?? 100)
        const tone = state === 'spent' || filled >= 100 ? 'bad' : filled >= 90 ? 'warn' : 'good'
        const words = `${usedText(entry)} · ${texts.models.renews(format.soon(resetAtMs, nowMs))}`
        return (
          <li key={keyOf(entry)} className="time-row">
            <span className="time-name">
              <bdi>{visible(label)}</bdi> <span className="time-window">{windowName(entry, texts)}</span>
            </span>
            <span className="time-track" aria-hidden="true">
              {span.days.map((day) => (
                <span key={day} className="time-mark" style={{ insetInlineStart: `${placeIn(span, day)}%` }} />
              ))}
              <span className="time-bar" style={{ insetInlineStart: `${from}%`, width: `${width}%` }}>
                <span className={`time-used tone-${tone}`} style={{ width: `${filled}%` }} />
              </span>
              <span className="time-now" style={{ insetInlineStart: now }} />
            </span>
            <span className="time-words">{words}</span>
          </li>
        )
      })}
    </ul>
  )
}
