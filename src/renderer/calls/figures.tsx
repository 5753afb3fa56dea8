/** Four figures of today: how many calls, how they were served, what they would have cost. */
import { useEffect } from 'react'
import { client } from '../bridge/client.ts'
import { mirror, useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { useTexts } from '../text/texts.ts'
import { Hint } from '../ui/tooltip.tsx'
import { useCallFormat } from './call-format.ts'

const dayMs = 86_400_000
let restUntilMs = 0

const todayMirror = mirror(['calls'], async () => {
  // A day of very many calls takes long to sum up; it is not done without pause.
  await new Promise((resolve) => setTimeout(resolve, restUntilMs - performance.now()))
  const beganMs = performance.now()
  const fromMs = new Date().setHours(0, 0, 0, 0)
  const found = await client.calls.summary({ fromMs, toMs: fromMs + 2 * dayMs })
  restUntilMs = performance.now() + Math.max(500, 4 * (performance.now() - beganMs))
  return found
})

export function Figures() {
  const { calls: texts, ui } = useTexts()
  const format = useCallFormat()
  const { value: today } = useMirror(todayMirror)
  const midnightMs = new Date(useNow(60_000)).setHours(0, 0, 0, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day has other figures
  useEffect(() => {
    if (todayMirror.store.getState().value !== null) void todayMirror.refresh()
  }, [midnightMs])
  const served = today === null ? 0 : today.byFirstChoice + today.byFailover
  const count = (value: number | undefined) => (value === undefined ? ui.missing : format.count(value))
  return (
    <dl className="figures">
      <Figure name={texts.callsToday} value={count(today?.calls)} />
      <Figure
        name={texts.firstChoice}
        value={today === null || served === 0 ? ui.missing : format.percent(today.byFirstChoice / served)}
        hint={texts.firstChoiceHint}
      />
      <Figure name={texts.byFailover} value={count(today?.byFailover)} hint={texts.byFailoverHint} />
      <Figure
        name={texts.byKey}
        value={today?.cost == null ? ui.missing : format.money(today.cost)}
        hint={texts.byKeyHint(count(today?.priced), count(today?.calls))}
      />
    </dl>
  )
}

function Figure({ name, value, hint }: { readonly name: string; readonly value: string; readonly hint?: string }) {
  return (
    <div className="figure">
      <dt>{hint === undefined ? name : <Hint text={hint}>{name}</Hint>}</dt>
      <dd>{value}</dd>
    </div>
  )
}
