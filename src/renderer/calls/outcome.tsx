/** How a call ended, as shape, colour and word. */
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { StateShape, type Tone } from '../ui/state-mark.tsx'
import type { CallRow, Outcome } from './call-types.ts'

export const tones: Readonly<Record<Outcome, Tone>> = {
  done: 'good',
  refused: 'bad',
  failed: 'bad',
  truncated: 'bad',
  'error-midstream': 'bad',
  'unknown-outcome': 'warn',
  'client-left': 'off',
  interrupted: 'warn',
}

export function OutcomeMark({ call }: { readonly call: CallRow }) {
  const { calls: texts, said } = useTexts()
  const { outcome, attempts, errorCode } = call
  if (outcome === null) return <Mark tone="run" word={texts.running} />
  const word = texts.outcomes[outcome]
  if (errorCode !== null && outcome !== 'done')
    return <Mark tone={tones[outcome]} word={texts.withCode(word, visible(said.code(errorCode)))} />
  return <Mark tone={tones[outcome]} word={attempts > 1 ? texts.withAttempts(word, attempts) : word} />
}

function Mark({ tone, word }: { readonly tone: Tone | 'run'; readonly word: string }) {
  return (
    <span className={`outcome tone-${tone}`} title={word}>
      {tone === 'run' ? <span className="running-shape" aria-hidden="true" /> : <StateShape tone={tone} />}
      <span className="outcome-word">{word}</span>
    </span>
  )
}
