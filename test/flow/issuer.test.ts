/** Who made a thought: each account and each family of models by itself; whose it is: the key's (bridge §1.5). */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Call } from '../../src/main/flow/10-ingress.ts'
import type { Candidate } from '../../src/main/flow/40-candidates.ts'
import { issuerOf, thoughtsOwner } from '../../src/main/flow/prepare.ts'
import { claudeAccount } from './kit.ts'

test('alphaXiv/agents#61 every account and family of models is an issuer of its own, every key an owner', () => {
  const digest = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as never
  const made = (account: string, upstreamModel: string): string =>
    issuerOf({ backend: { source: claudeAccount(account), upstreamModel } } as Candidate, { digest })
  const issuer = made('one', 'claude-opus-4-8')
  expect(made('one', 'claude-opus-5')).toBe(issuer)
  const issuers = [issuer, made('two', 'claude-opus-4-8'), made('one', 'claude-haiku-4-5')]
  const owners = ['mine', 'yours'].map((id) => thoughtsOwner({ key: { id } } as Call, issuer))
  expect([new Set(issuers).size, new Set(owners).size]).toEqual([3, 2])
  expect(thoughtsOwner({ key: { id: 'mine' } } as Call, 'another')).not.toBe(owners[0])
})
