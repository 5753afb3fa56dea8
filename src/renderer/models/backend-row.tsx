/** One backend of a pool: its place, who it is, and how it stands, in one line that never moves anything. */
import { GripVertical, X } from 'lucide-react'
import { Button as AriaButton, GridListItem } from 'react-aria-components'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { StateShape } from '../ui/state-mark.tsx'
import { dismissTest, type TestState, useTests } from './backend-tests.ts'
import type { Backend, Pool } from './pools.ts'
import { BackendMenu } from './row-menu.tsx'
import { type BadgeKind, rowState } from './row-state.ts'
import type { RowKey } from './rows.ts'

const badgeTones = {
  now: 'good',
  next: 'plain',
  ready: 'plain',
  resting: 'warn',
  spent: 'warn',
  skipped: 'plain',
  off: 'plain',
} as const satisfies Readonly<Record<BadgeKind, string>>

export interface BackendRowProps {
  readonly pool: Pool
  readonly backend: Backend
  readonly place: number
  readonly total: number
  readonly onMove: (key: RowKey) => void
}

const soonMs = 60_000

export function BackendRow({ pool, backend, place, total, onMove }: BackendRowProps) {
  const { losses, models: texts, said } = useTexts()
  const format = useFormat()
  const { backendId, upstreamModel, provider, untilMs } = backend
  const name = visible(backend.sourceLabel)
  // Seconds tick only where seconds are shown.
  const minuteMs = useNow(60_000)
  const isSoon = untilMs !== null && untilMs - minuteMs < 2 * soonMs && untilMs > minuteMs
  const nowMs = useNow(isSoon ? 1_000 : 60_000)
  const test = useTests(({ tests }) => tests.get(backendId))
  const { badge, tone, line, atMs } = rowState(backend, pool.serving, nowMs, { texts, said, format })
  const word = texts.badges[badge]
  const isTranslated = backend.translates.some(({ from }) => from === pool.serving.dialect)
  const spoken = [name, texts.place(place, total), line, ...(isTranslated ? [losses.badge] : []), word].join(texts.join)
  return (
    <GridListItem id={backendId} textValue={spoken} className={`backend-row is-${badge}`}>
      <AriaButton slot="drag" className="row-handle" aria-label={texts.drag(name)}>
        <GripVertical size={16} aria-hidden="true" />
      </AriaButton>
      <span className="row-place">{place}</span>
      <ProviderMark provider={provider} />
      <span className="row-source" title={name}>
        <bdi>{name}</bdi>
      </span>
      <code className="row-model" title={visible(upstreamModel)}>
        <bdi>{visible(upstreamModel)}</bdi>
      </code>
      <span className={`row-reason tone-${tone}`} {...(atMs === null ? {} : { title: format.full(atMs) })}>
        <StateShape tone={tone} />
        <span className="row-line">{visible(line)}</span>
        <Translated pool={pool} backend={backend} />
      </span>
      <span className="row-badge">
        <Badge tone={badgeTones[badge]}>{word}</Badge>
      </span>
      <BackendMenu pool={pool} rowKey={backendId} backend={backend} onMove={onMove} />
      {test !== undefined && <TestLine id={backendId} test={test} />}
    </GridListItem>
  )
}

/** The pool's own clients are served in another dialect than theirs. */
function Translated({ pool, backend }: { readonly pool: Pool; readonly backend: Backend }) {
  const { losses: texts } = useTexts()
  const found = backend.translates.find(({ from }) => from === pool.serving.dialect)
  if (found === undefined) return null
  const hint = texts.badgeHint(texts.dialects[found.from], texts.dialects[found.to])
  return (
    <span className="row-translated" title={hint}>
      <Badge>{texts.badge}</Badge>
    </span>
  )
}

function TestLine({ id, test }: { readonly id: string; readonly test: TestState }) {
  const { models: texts, said, ui } = useTexts()
  const format = useFormat()
  const { tone, text } = told()
  return (
    <span className={`row-test tone-${tone}`}>
      <StateShape tone={tone} />
      <span className="row-line">{visible(text)}</span>
      {test.kind !== 'running' && (
        <IconButton label={ui.close} onPress={() => dismissTest(id)}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </span>
  )

  function told() {
    switch (test.kind) {
      case 'running':
        return { tone: 'off', text: texts.testing } as const
      case 'failed':
        return { tone: 'bad', text: said.problem(test.problem) } as const
      case 'answered': {
        const { ok, elapsedMs } = test.answer
        const sentence = said.sentence(test.answer.sentence)
        const took = texts.tested(format.number(elapsedMs))
        return ok
          ? ({ tone: 'good', text: `${sentence.replace(/[.。]$/, '')}${texts.join}${took}` } as const)
          : ({ tone: 'bad', text: sentence } as const)
      }
    }
  }
}
