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
  /** Keys are told by name where they aren't what is being changed. */
  readonly namesKeys?: boolean
}

export function AffectedNotice({ answer, problem, namesKeys = false }: AffectedNoticeProps) {
  const { access: texts } = useTexts()
  if (problem !== null) return <ProblemNotice problem={problem} />
  if (answer === null) return null
  const { keys, calls, sessions, looked } = answer
  const reasons = Object.keys(texts.keysBecause).flatMap((because) => {
    const labels = keys.filter((key) => key.because === because).map(({ label }) => visible(label))
    return labels.length === 0 ? [] : [texts.keysBecause[because]?.(labels.join(', ')) ?? '']
  })
  const counted = calls === 0 ? texts.nothingChanges(looked) : texts.changes(calls, sessions)
  return (
    <div aria-live="polite">
      <Notice tone={calls === 0 && (!namesKeys || keys.length === 0) ? 'plain' : 'warn'}>
        {[...(namesKeys ? reasons : []), counted].join(' ')}
      </Notice>
    </div>
  )
}
