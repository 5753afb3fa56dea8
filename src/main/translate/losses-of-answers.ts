/** Known losses of answers, whoever asked and whatever the model. */
import type { KnownLoss } from './known-loss.ts'

const all = ['messages', 'responses', 'chat'] as const

export const answerLosses: readonly KnownLoss[] = [
  {
    id: 'cut-calls',
    action: 'clamped',
    sentence:
      'A call that the limit or a filter cut off is left out of a whole answer; in a stream it stays unfinished.',
    codes: ['call_cut_off'],
    from: all,
    to: all,
  },
  {
    id: 'unknown-parts',
    action: 'dropped',
    sentence: 'Parts of an answer and reasons to stop that are not known here, and calls without a name, are left out.',
    codes: ['answer_part_unknown', 'stop_reason_unknown', 'call_without_name'],
    from: all,
    to: all,
  },
]
