/** What was left of windows when they renewed: by week, in percent and in the plan's money. */
import { useCallFormat } from '../calls/call-format.ts'
import { useLanguage } from '../state/choices.ts'
import { useMirror } from '../state/mirror.ts'
import { accountsMirror } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { localeOf } from '../text/locale.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { wasteMirror } from './outlook-data.ts'
import { windowName } from './window-name.ts'

export function Waste() {
  const texts = useTexts()
  const { outlook, ui } = texts
  const format = useFormat()
  const { money } = useCallFormat()
  const locale = localeOf[useLanguage()]
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const { value: waste, problem } = useMirror(wasteMirror)
  const { value: accounts } = useMirror(accountsMirror)
  if (waste === null) return <ProblemNotice problem={problem} />
  const labels = new Map((accounts ?? []).map(({ id, label }) => [id, label]))
  const families = new Map(waste.resets.map(({ window, family }) => [window, family]))
  const isUnpriced = accounts?.some(({ monthlyPrice }) => monthlyPrice === null) === true
  const { account, window, week, resets, lost, worth } = outlook.columns
  return (
    <>
      {isUnpriced && <Notice tone="plain">{outlook.nameAPrice}</Notice>}
      {waste.weeks.length === 0 ? (
        <p className="outlook-empty">{outlook.nothingLost}</p>
      ) : (
        <DataTable
          name={outlook.parts.waste}
          columns={[
            { head: week },
            { head: account },
            { head: window },
            { head: resets, isNumber: true },
            { head: lost, isNumber: true },
            { head: worth, isNumber: true },
          ]}
          rows={waste.weeks.map((one) => ({
            key: `${one.weekMs} ${one.sourceId} ${one.window}`,
            cells: [
              outlook.weekOf(day.format(one.weekMs)),
              <bdi key="name">{visible(labels.get(one.sourceId) ?? one.sourceId)}</bdi>,
              windowName({ window: one.window, family: families.get(one.window) ?? null }, texts),
              format.number(one.resets),
              `${format.number(Math.round(one.lostPercent))} %`,
              one.money === null ? ui.missing : money(one.money),
            ],
          }))}
        />
      )}
    </>
  )
}
