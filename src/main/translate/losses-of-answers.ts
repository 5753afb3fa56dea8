/** Known losses of answers, whoever asked and whatever the model. */
import type { KnownLoss } from './known-loss.ts'

const all = ['messages', 'responses', 'chat'] as const

export const answerLosses: readonly KnownLoss[] = [
  {
    id: 'cut-calls',
    action: 'dropped',
    sentence:
      'A call that the limit or a filter cut off is left out of a whole answer; in a stream it stays unfinished.',
    codes: ['call_cut_off'],
    from: all,
    to: all,
  },
]
