/** What narrows the log down: search, account, model, key, outcome, time; and what can be done with what is left. */
import { ChartLine, Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { poolsMirror } from '../models/pools.ts'
import { useMirror } from '../state/mirror.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { type Choice, Select } from '../ui/field.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { chooseInLog, chooseSpan, isNarrowed, type LogChoices, noFilter, spans, useLogChoices } from './log-choices.ts'
import type { Names } from './names.ts'
import { tones } from './outcome.tsx'

export interface FiltersProps {
  readonly names: Names
  readonly hasCharts: boolean
  readonly onCharts: () => void
  readonly onExport: () => void
}

const outcomes = ['open', ...Object.keys(tones), 'stood-in'] as readonly NonNullable<LogChoices['outcome']>[]
/** Typing is not searching: the log is asked once the fingers rest. */
const restMs = 250

export function Filters({ names, hasCharts, onCharts, onExport }: FiltersProps) {
  const { calls: texts } = useTexts()
  const choices = useLogChoices()
  const { value: pools } = useMirror(poolsMirror)
  const models = [...new Set((pools ?? []).map(({ model }) => model))].sort()
  const named = (entries: ReadonlyMap<string, string>): readonly Choice<string>[] =>
    [...entries].map(([id, label]) => ({ id, text: visible(label) }))
  return (
    <div className="call-filters">
      <Search />
      <OneOrAny
        label={texts.account}
        any={texts.anyAccount}
        value={choices.sourceId}
        choices={named(names.sources)}
        onChange={(sourceId) => chooseInLog({ sourceId })}
      />
      <OneOrAny
        label={texts.model}
        any={texts.anyModel}
        value={choices.model}
        choices={models.map((model) => ({ id: model, text: visible(model) }))}
        onChange={(model) => chooseInLog({ model })}
      />
      <OneOrAny
        label={texts.key}
        any={texts.anyKey}
        value={choices.keyId}
        choices={named(names.keys)}
        onChange={(keyId) => chooseInLog({ keyId })}
      />
      <OneOrAny
        label={texts.outcome}
        any={texts.anyOutcome}
        value={choices.outcome}
        choices={outcomes.map((id) => ({
          id,
          text: id === 'open' ? texts.running : id === 'stood-in' ? texts.stoodIn : texts.outcomes[id],
        }))}
        onChange={(outcome) => chooseInLog({ outcome })}
      />
      <Select
        label={texts.time}
        value={choices.span}
        choices={spans.map((id) => ({ id, text: texts.spans[id] }))}
        onChange={chooseSpan}
        isBare
      />
      <span className="call-actions">
        <Clear isShown={isNarrowed(choices)}>{texts.clear}</Clear>
        <Button kind="quiet" aria-expanded={hasCharts} onPress={onCharts}>
          <ChartLine size={14} aria-hidden="true" />
          {texts.charts}
        </Button>
        <Button kind="quiet" onPress={onExport}>
          <Download size={14} aria-hidden="true" />
          {texts.export}
        </Button>
      </span>
    </div>
  )
}

export const clearFilters = (): void => chooseInLog(noFilter)

const Clear = ({ isShown, children }: { readonly isShown: boolean; readonly children: ReactNode }) =>
  isShown ? (
    <Button kind="quiet" onPress={clearFilters}>
      {children}
    </Button>
  ) : null

function Search() {
  const { calls: texts } = useTexts()
  const wanted = useLogChoices(({ text }) => text)
  const [typed, setTyped] = useState(wanted)
  // Cleared from elsewhere.
  useEffect(() => setTyped(wanted), [wanted])
  useEffect(() => {
    if (typed === useLogChoices.getState().text) return
    const timer = setTimeout(() => chooseInLog({ text: typed }), restMs)
    return () => clearTimeout(timer)
  }, [typed])
  return <SearchField label={texts.search} value={typed} onChange={setTyped} />
}

interface OneOrAnyProps<Id extends string> {
  readonly label: string
  readonly any: string
  readonly value: Id | null
  readonly choices: readonly Choice<Id>[]
  readonly onChange: (value: Id | null) => void
}

function OneOrAny<Id extends string>({ label, any, value, choices, onChange }: OneOrAnyProps<Id>) {
  const own = choices.map(({ id, text }) => ({ id: `=${id}`, text }))
  return (
    <Select
      label={label}
      value={value === null ? 'any' : `=${value}`}
      choices={[{ id: 'any', text: any }, ...own]}
      onChange={(id) => onChange(choices.find((choice) => `=${choice.id}` === id)?.id ?? null)}
      isBare
    />
  )
}
