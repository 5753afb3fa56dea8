/** Rehearsal: the last days' calls under another strategy, order or threshold, beside how they went. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { poolsMirror, strategiesMirror } from '../models/pools.ts'
import { strategyName } from '../models/strategy-name.ts'
import { DraftList } from '../routes/draft-list.tsx'
import { useMirror } from '../state/mirror.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import type { Rehearsed } from './outlook-data.ts'
import { RehearsalResult } from './rehearsal-result.tsx'

const asItWas = 'as-it-was'
const everyModel = 'every-model'
const spans = ['1d', '7d', '14d', '30d'] as const
type Since = (typeof spans)[number]

type State =
  | { readonly kind: 'idle' | 'running' }
  | { readonly kind: 'done'; readonly result: Rehearsed }
  | { readonly kind: 'failed'; readonly problem: Problem }

export function Rehearsal() {
  const texts = useTexts()
  const { outlook } = texts
  const format = useFormat()
  const { value: strategies } = useMirror(strategiesMirror)
  const { value: pools } = useMirror(poolsMirror)
  const [strategy, setStrategy] = useState(asItWas)
  const [poolId, setPool] = useState(everyModel)
  const [tiers, setTiers] = useState<readonly (readonly string[])[] | null>(null)
  const [since, setSince] = useState<Since>('7d')
  const [threshold, setThreshold] = useState('')
  const [state, setState] = useState<State>({ kind: 'idle' })
  const pool = pools?.find(({ id }) => id === poolId)
  const backends = new Map(pool?.tiers.flat().map((backend) => [backend.backendId, backend.sourceLabel]))
  const isThreshold = threshold.trim() === '' || (/^\d{1,3}$/.test(threshold.trim()) && Number(threshold) <= 100)

  const run = async (): Promise<void> => {
    if (!isThreshold || state.kind === 'running') return
    setState({ kind: 'running' })
    try {
      const result = await client.rehearsal.run({
        since,
        offsetMs: -new Date().getTimezoneOffset() * 60_000,
        ...(strategy === asItWas ? {} : { strategy }),
        ...(pool === undefined ? {} : { poolId: pool.id }),
        ...(pool === undefined || tiers === null ? {} : { tiers: tiers.map((tier) => [...tier]) }),
        ...(threshold.trim() === '' ? {} : { newSessionMinRemaining: Number(threshold) }),
      })
      setState({ kind: 'done', result })
    } catch (cause) {
      setState({ kind: 'failed', problem: problemOf(cause) })
    }
  }

  return (
    <form
      className="rehearsal"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <div className="form-row">
        <Select
          label={texts.models.strategy}
          value={strategy}
          choices={[
            { id: asItWas, text: outlook.asItWas },
            ...(strategies ?? []).map(({ id, sentence }) => ({
              id,
              text: strategyName(id, texts),
              hint: texts.models.strategySentences[id] ?? sentence,
            })),
          ]}
          onChange={setStrategy}
        />
        <Select
          label={outlook.model}
          value={poolId}
          choices={[
            { id: everyModel, text: outlook.everyModel },
            ...(pools ?? []).map(({ id, model }) => ({ id, text: visible(model) })),
          ]}
          onChange={(id) => {
            setPool(id)
            setTiers(null)
          }}
        />
        <Select
          label={outlook.since}
          value={since}
          choices={spans.map((id) => ({ id, text: outlook.lastDays(Number.parseInt(id, 10)) }))}
          onChange={setSince}
        />
        <TextField
          label={outlook.threshold}
          hint={isThreshold ? outlook.thresholdHint : texts.settings.wholeNumber('0', format.number(100))}
          value={threshold}
          onChange={setThreshold}
          isInvalid={!isThreshold}
          isNumber
        />
      </div>
      {pool !== undefined && (
        <div className="field">
          <p className="field-label">{outlook.order}</p>
          <DraftList
            tiers={tiers ?? pool.tiers.map((tier) => tier.map(({ backendId }) => backendId))}
            nameOf={(id) => backends.get(id) ?? id}
            onChange={setTiers}
            isFixed
          />
        </div>
      )}
      <div className="outlook-run">
        <Button kind="primary" type="submit" isDisabled={!isThreshold}>
          {state.kind === 'running' ? outlook.running : outlook.run}
        </Button>
      </div>
      <div aria-live="polite">
        {state.kind === 'failed' && <ProblemNotice problem={state.problem} />}
        {state.kind === 'done' && state.result.calls === 0 && <Notice tone="plain">{outlook.noCalls}</Notice>}
        {state.kind === 'done' && state.result.calls > 0 && <RehearsalResult result={state.result} />}
      </div>
    </form>
  )
}
