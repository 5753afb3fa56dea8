/** The Call log tab: figures of today, filters, charts, and every call with its explanation. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { showPlace, useTab } from '../state/tab.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { CallGrid, type OpenCall, type Turn } from './call-grid.tsx'
import { CallLog } from './call-log.ts'
import { ExportDialog } from './export-dialog.tsx'
import { Figures } from './figures.tsx'
import { Filters } from './filters.tsx'
import { chooseInLog, filterOf, isNarrowed, useLogChoices } from './log-choices.ts'
import { useNames } from './names.ts'
import { NoCalls, NothingMatches } from './no-calls.tsx'
import '../styles/calls.css'
import '../styles/explanation.css'

const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }))

export function CallsTab() {
  const { calls: texts } = useTexts()
  const choices = useLogChoices()
  const { order } = choices
  const filter = useMemo(() => filterOf(choices), [choices])
  const [log] = useState(() => new CallLog(filter, order))
  const { total, problem } = useStore(log.store)
  const names = useNames()
  const [open, setOpen] = useState<OpenCall | null>(null)
  const [turn, setTurn] = useState<Turn>({ number: 0, takesFocus: false })
  const [hasCharts, setCharts] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [isGone, setGone] = useState(false)
  const place = useTab((shown) => shown.place)

  const openCall = useCallback((next: OpenCall | null) => {
    setOpen(next)
    setGone(false)
    showPlace('calls', next?.id ?? null)
  }, [])
  const toTop = useCallback(
    (takesFocus: boolean) => {
      openCall(null)
      setTurn(({ number }) => ({ number: number + 1, takesFocus }))
    },
    [openCall],
  )

  useEffect(() => log.start(), [log])
  useEffect(() => {
    if (log.show(filter, order)) toTop(false)
  }, [log, filter, order, toTop])

  // An address that names a call opens it.
  const isRead = total !== null
  useEffect(() => {
    if (!isRead || place === null || place === open?.id) return
    let isLeft = false
    log
      .placeOf(place)
      .catch(() => null)
      .then((found) => {
        if (isLeft) return
        setGone(found === null)
        setOpen(found === null ? null : { id: place, place: found })
      })
    return () => {
      isLeft = true
    }
  }, [log, isRead, place, open?.id])

  return (
    <section className="calls" aria-labelledby="calls-title">
      <h2 id="calls-title" className="visually-hidden">
        {texts.title}
      </h2>
      <Figures />
      <Filters
        names={names}
        hasCharts={hasCharts}
        onCharts={() => setCharts((shown) => !shown)}
        onExport={() => setExporting(true)}
      />
      {hasCharts && (
        <Suspense fallback={<div className="charts" />}>
          <Charts names={names} />
        </Suspense>
      )}
      <ProblemNotice problem={problem} />
      {isGone && <Notice tone="plain">{texts.gone}</Notice>}
      {total === 0 ? (
        isNarrowed(choices) ? (
          <NothingMatches />
        ) : (
          <NoCalls />
        )
      ) : (
        <div className="call-panel">
          <CallGrid
            log={log}
            names={names}
            order={order}
            onOrder={() => chooseInLog({ order: order === 'newest' ? 'oldest' : 'newest' })}
            open={open}
            onOpen={openCall}
            turn={turn}
          />
          <Newer log={log} onPress={() => toTop(true)} />
        </div>
      )}
      <Foot total={total} />
      {isExporting && <ExportDialog filter={filter} total={total ?? 0} onClose={() => setExporting(false)} />}
    </section>
  )
}

/** Over the first row, so that it moves nothing when it comes. */
function Newer({ log, onPress }: { readonly log: CallLog; readonly onPress: () => void }) {
  const { calls: texts } = useTexts()
  const format = useFormat()
  const newer = useStore(log.store, (view) => view.newer)
  if (newer === 0) return null
  const text = texts.newer(format.number(newer))
  return (
    <div className="call-newer">
      <Button kind="primary" aria-label={`${text}. ${texts.newerHint}`} onPress={onPress}>
        {text}
      </Button>
    </div>
  )
}

function Foot({ total }: { readonly total: number | null }) {
  const { calls: texts, ui } = useTexts()
  const format = useFormat()
  return (
    <p className="call-foot">
      <span className="call-count">{total === null ? ui.loading : texts.found(format.number(total))}</span>
      <span>{texts.notStored}</span>
    </p>
  )
}
