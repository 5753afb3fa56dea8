/** When each account runs out at the pace of the last hour, and who follows it. */
import { type Forecast as Account, forecastMirror } from '../models/pools.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { DataTable } from '../ui/data-table.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { StateMark } from '../ui/state-mark.tsx'
import { windowName } from './window-name.ts'

type WindowForecast = Account['windows'][number]

export function Forecast() {
  const texts = useTexts()
  const { outlook, ui } = texts
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { value: accounts, problem } = useMirror(forecastMirror)
  if (accounts === null) return <ProblemNotice problem={problem} />
  const rows = accounts.flatMap(({ sourceId, label, windows, follower }) =>
    windows.map((window) => {
      const { leftPercent, percentPerHour, resetAtMs } = window
      return {
        key: `${sourceId} ${window.window} ${window.family ?? ''}`,
        cells: [
          <bdi key="name">{visible(label)}</bdi>,
          windowName(window, texts),
          `${format.number(Math.round(leftPercent))} %`,
          percentPerHour === null ? ui.missing : outlook.perHour(format.number(Math.round(percentPerHour * 10) / 10)),
          <End key="end" window={window} nowMs={nowMs} />,
          resetAtMs === null ? ui.missing : format.soon(resetAtMs, nowMs),
          follower === null ? ui.missing : visible(follower.label),
        ],
      }
    }),
  )
  if (rows.length === 0) return <p className="outlook-empty">{outlook.noQuota}</p>
  const { account, window, left, pace, runsOut, renews, next } = outlook.columns
  return (
    <DataTable
      name={outlook.parts.forecast}
      columns={[
        { head: account },
        { head: window },
        { head: left, isNumber: true },
        { head: pace, isNumber: true },
        { head: runsOut },
        { head: renews },
        { head: next },
      ]}
      rows={rows}
    />
  )
}

function End({ window, nowMs }: { readonly window: WindowForecast; readonly nowMs: number }) {
  const { outlook, ui } = useTexts()
  const format = useFormat()
  const { percentPerHour, runsOutAtMs, aboutToBeWasted } = window
  if (runsOutAtMs !== null) return <StateMark tone="warn" word={format.soon(runsOutAtMs, nowMs)} />
  if (aboutToBeWasted) return <StateMark tone="warn" word={outlook.aboutToBeLost} />
  return percentPerHour === null ? ui.missing : <StateMark tone="good" word={outlook.lasts} />
}
