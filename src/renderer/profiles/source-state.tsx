/** A source's state as a signal, with the sentence behind it. */

import { useNow } from '../state/now.ts'
import type { Account, Profile } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { StateMark, type Tone } from '../ui/state-mark.tsx'

const tones: Readonly<Record<Account['state'], Tone>> = {
  ready: 'good',
  resting: 'warn',
  'signed-out': 'bad',
  locked: 'bad',
  inactive: 'off',
}

export function SourceState({ source }: { readonly source: Account | Profile }) {
  const { profiles: texts } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { state, untilMs } = source
  const word =
    state === 'resting' && untilMs !== null ? texts.restingUntil(format.soon(untilMs, nowMs)) : texts.states[state]
  return <StateMark tone={tones[state]} word={word} />
}
