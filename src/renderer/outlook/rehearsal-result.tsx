/** What a rehearsal found: a table beside how it was, a small chart of who would have served, and what it can't know. */
import { useCallFormat } from '../calls/call-format.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { DataTable } from '../ui/data-table.tsx'
import type { Rehearsed } from './outlook-data.ts'
import { windowName } from './window-name.ts'

export function RehearsalResult({ result }: { readonly result: Rehearsed }) {
  const texts = useTexts()
  const { outlook, ui } = texts
  const format = useFormat()
  const { money } = useCallFormat()
  const { calls, free, moved, skipped, actual, would, windows, sources, unknowns } = result
  const number = (key: 'served' | 'refused' | 'switches' | 'coldStarts') => ({
    key,
    cells: [outlook.totals[key], format.number(actual[key]), format.number(would[key])],
  })
  const percent = (value: number | null): string =>
    value === null ? ui.missing : `${format.number(Math.round(value))} %`
  const most = Math.max(1, ...sources.flatMap(({ actualCalls, wouldCalls }) => [actualCalls, wouldCalls]))
  return (
    <div className="rehearsal-result">
      <p>{outlook.found(format.number(calls), format.number(free), format.number(moved))}</p>
      <DataTable
        name={outlook.parts.rehearsal}
        columns={[
          { head: outlook.figure },
          { head: outlook.actual, isNumber: true },
          { head: outlook.would, isNumber: true },
        ]}
        rows={[
          number('served'),
          number('refused'),
          number('switches'),
          number('coldStarts'),
          { key: 'cost', cells: [outlook.totals.cost, money(actual.cost), money(would.cost)] },
          ...windows.map(({ window, actualLostPercent, wouldLostPercent }) => ({
            key: window,
            cells: [
              outlook.lostOf(windowName({ window, family: null }, texts)),
              percent(actualLostPercent),
              percent(wouldLostPercent),
            ],
          })),
        ]}
      />
      <figure className="bars" aria-label={outlook.whoServes}>
        <figcaption className="field-label">{outlook.whoServes}</figcaption>
        {sources.map(({ sourceId, label, actualCalls, wouldCalls }) => (
          <div key={sourceId} className="bar-row">
            <span className="bar-name">
              <bdi>{visible(label)}</bdi>
            </span>
            {(
              [
                ['was', actualCalls, outlook.actual],
                ['would', wouldCalls, outlook.would],
              ] as const
            ).map(([kind, count, word]) => (
              <span key={kind} className="bar-line">
                <svg className={`bar bar-${kind}`} aria-hidden="true">
                  <rect width={`${(count / most) * 100}%`} height="100%" />
                </svg>
                <span className="bar-words">
                  {word}: {outlook.calls(count, format.number(count))}
                </span>
              </span>
            ))}
          </div>
        ))}
      </figure>
      <section>
        <h3 className="outlook-heading">{outlook.cannotTell}</h3>
        <ul className="unknowns">
          {skipped > 0 && <li>{outlook.skipped(skipped, format.number(skipped))}</li>}
          {unknowns.map((sentence) => (
            <li key={sentence}>{visible(texts.said.sentence(sentence))}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
