/** Who was tried, in order, with what came of it; then who was not, and why. */
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { StateShape, type Tone } from '../ui/state-mark.tsx'
import { useCallFormat } from './call-format.ts'
import type { CallDetail, Execution } from './call-types.ts'
import { tones } from './outcome.tsx'

export function Attempts({ detail: { call, executions, decision } }: { readonly detail: CallDetail }) {
  const { calls: texts, said } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const tried = new Set(executions.map(({ backendId }) => backendId))
  const seats = decision?.seats.filter(({ backendId }) => !tried.has(backendId)) ?? []
  const servedTier = decision?.seats.find(({ backendId }) => backendId === call.backendId)?.tier ?? 0
  const excluded = decision?.excluded.filter(({ backendId }) => !tried.has(backendId)) ?? []
  if (tried.size + seats.length + excluded.length === 0) return null
  return (
    <ol className="attempts" aria-label={texts.attempts}>
      {executions.map((execution, index) => (
        <Tried key={index} execution={execution} />
      ))}
      {seats.map(({ backendId, label, usable, because, tier, usedPercent }) => (
        <Line
          key={backendId}
          tone="off"
          name={label}
          words={[
            usable
              ? tier > servedTier
                ? texts.notTried.lower
                : texts.notTried.later
              : texts.notTried.resting(said.code(because)),
            usedPercent === null ? null : texts.used(format.number(Math.round(usedPercent))),
          ]}
        />
      ))}
      {excluded.map(({ backendId, label, sentence, untilMs }) => (
        <Line
          key={backendId}
          tone="off"
          name={label}
          words={[said.sentence(sentence), untilMs === null ? null : texts.until(format.soon(untilMs, nowMs))]}
        />
      ))}
    </ol>
  )
}

function Tried({ execution }: { readonly execution: Execution }) {
  const { calls: texts, said } = useTexts()
  const format = useCallFormat()
  const { outcome, status, sentence, sourceLabel, firstByteMs, totalMs } = execution
  return (
    <Line
      tone={tones[outcome]}
      name={sourceLabel}
      time={format.took(totalMs)}
      words={[
        status === null ? texts.noAnswer : texts.status(status),
        said.sentence(sentence),
        outcome === 'done' && firstByteMs !== null ? texts.toFirstByte(format.took(firstByteMs)) : null,
      ]}
    />
  )
}

interface LineProps {
  readonly tone: Tone
  readonly name: string
  readonly time?: string
  readonly words: readonly (string | null)[]
}

function Line({ tone, name, time, words }: LineProps) {
  return (
    <li className={tone === 'off' ? 'attempt is-untried' : 'attempt'}>
      <StateShape tone={tone} />
      <span className="attempt-name">
        <bdi>{visible(name)}</bdi>
      </span>
      <span className="attempt-time">{time}</span>
      <span className="attempt-words">
        {words
          .flatMap((word) => (word === null || word === '' ? [] : [visible(word.replace(/[.。]$/, ''))]))
          .join(' · ')}
      </span>
    </li>
  )
}
