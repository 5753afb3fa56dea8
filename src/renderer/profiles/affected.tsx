/** What a change would affect, before it is saved: keys that name an account, recent calls, conversations (`keys.preview`). */
import { type Client, client } from '../bridge/client.ts'
import { type Asked, useAsked } from '../state/asked.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Notice, ProblemNotice } from '../ui/notice.tsx'

type Question = Parameters<Client['keys']['preview']>[0]
export type Affected = Awaited<ReturnType<Client['keys']['preview']>>

/** Null: nothing to ask yet. */
export const useAffected = (question: Question | null): Asked<Affected> =>
  useAsked(question, (input, signal) => client.keys.preview(input, { signal }))

export interface AffectedNoticeProps extends Asked<Affected> {
  /** What is being changed. Keys are told by name where it isn't them. */
  readonly of?: 'keys' | 'account' | 'pool'
}

export function AffectedNotice({ answer, problem, of = 'keys' }: AffectedNoticeProps) {
  const { access: texts } = useTexts()
  if (problem !== null) return <ProblemNotice problem={problem} />
  if (answer === null) return null
  const { keys, calls, sessions, looked } = answer
  const reasons = Object.keys(texts.keysBecause).flatMap((because) => {
    const labels = keys.filter((key) => key.because === because).map(({ label }) => visible(label))
    return labels.length === 0 ? [] : [texts.keysBecause[because]?.(labels.join(', ')) ?? '']
  })
  const counted = calls === 0 ? texts.nothingChanges(of === 'keys' ? looked : 0) : texts.changes[of](calls, sessions)
  const isQuiet = of === 'pool' || (calls === 0 && (of === 'keys' || keys.length === 0))
  return (
    <div aria-live="polite">
      <Notice tone={isQuiet ? 'plain' : 'warn'}>{[...(of === 'keys' ? [] : reasons), counted].join(' ')}</Notice>
    </div>
  )
}
