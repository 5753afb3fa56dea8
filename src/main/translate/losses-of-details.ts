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
  {
    id: 'later-settings',
    action: 'dropped',
    sentence: 'Settings that change in the middle of a conversation are left out.',
    codes: ['configuration_update_dropped'],
    from: ['responses'],
    to: ['messages', 'chat'],
  },
  {
    id: 'unknown-effort',
    action: 'dropped',
    sentence: 'An effort of no known name is left out.',
    codes: ['effort_dropped'],
    from: ['messages', 'responses', 'chat'],
    to: ['messages', 'responses', 'chat'],
  },
  {
    id: 'one-call',
    action: 'dropped',
    sentence: 'The wish for one call at a time is left out.',
    codes: ['parallel_tool_calls_dropped'],
    from: ['messages', 'responses', 'chat'],
    to: ['responses', 'chat'],
    when: ({ openAiExtras }) => !openAiExtras,
  },
  {
    id: 'other-tiers',
    action: 'dropped',
    sentence: 'Service tiers are left out.',
    codes: ['service_tier_dropped'],
    from: ['messages', 'chat'],
    to: ['responses'],
    when: ({ openAiExtras }) => !openAiExtras,
  },
  {
    id: 'account-metadata',
    action: 'dropped',
    sentence: '`metadata` is left out: the account’s backend takes none.',
    codes: ['metadata_dropped'],
    from: ['chat'],
    to: ['responses'],
    when: ({ cliFieldsOnly }) => cliFieldsOnly,
  },
]
