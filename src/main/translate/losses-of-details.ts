/** Known losses of details: what stands beside a request's content and changes it little. */
import type { KnownLoss } from './known-loss.ts'

export const detailLosses: readonly KnownLoss[] = [
  {
    id: 'speaker-names',
    action: 'dropped',
    sentence: 'Names of speakers are left out.',
    codes: ['name_dropped'],
    from: ['chat'],
    to: ['messages', 'responses'],
  },
]
