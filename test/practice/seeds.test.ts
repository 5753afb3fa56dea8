/** The seeded sources as the program would store them. */
import { expect, it } from 'vitest'
import { slug } from '../../src/shared/ids.ts'
import { begin } from './fixture.ts'

it('holds two accounts a vendor, a joined key a vendor, and one Ollama', async () => {
  const { practice } = await begin()
  expect(practice.seeds.sources.map((source) => [source.id, source.type, source.provider, source.label])).toEqual([
    ['claude-work', 'subscription', 'claude', 'Claude, work'],
    ['claude-personal', 'subscription', 'claude', 'Claude, personal'],
    ['codex-team', 'subscription', 'codex', 'Codex, team'],
    ['codex-personal', 'subscription', 'codex', 'Codex, personal'],
    ['anthropic-key', 'api', 'anthropic-compatible', 'Anthropic key'],
    ['openai-key', 'api', 'openai-compatible', 'OpenAI key'],
    ['ollama', 'local', 'ollama', 'Ollama'],
  ])
})

it('gives every source the id that its label would get, models, and a credential where one is needed', async () => {
  const { practice } = await begin()
  for (const source of practice.seeds.sources) {
    expect([slug(source.label, new Set()), source.models.length > 0]).toEqual([source.id, true])
    const credential = source.credentialRef === null ? null : practice.seeds.credentials.get(source.credentialRef)
    expect(credential?.kind ?? null).toBe({ subscription: 'oauth', api: 'api-key', local: null }[source.type])
  }
})

it('points keys and Ollama at the hosts that listen, and joins each key to its vendor', async () => {
  const { practice } = await begin()
  const keyed = practice.seeds.sources.flatMap((source) =>
    source.type === 'subscription' ? [] : [[source.baseUrl, source.joins]],
  )
  const { anthropicApi, openaiApi, ollamaHost } = practice.origins
  expect(keyed).toEqual([
    [anthropicApi, ['claude']],
    [openaiApi, ['codex']],
    [ollamaHost, []],
  ])
})

it('names plans as the vendors do', async () => {
  const { practice } = await begin()
  const plans = practice.seeds.sources.flatMap((source) => (source.type === 'subscription' ? [source.plan] : []))
  expect(plans).toEqual(['max_20x', 'pro', 'business', 'plus'])
})

it('listens on loopback only, one origin each', async () => {
  const { practice } = await begin()
  const hosts = Object.values(practice.origins).map((origin) => new URL(origin).hostname)
  expect([new Set(hosts), new Set(Object.values(practice.origins)).size]).toEqual([new Set(['127.0.0.1']), 7])
})

it('puts accounts before the key of their vendor in each pool', async () => {
  const { practice } = await begin()
  const tiers = new Map(
    practice.seeds.arrangements.map((arrangement) => [arrangement.poolId as string, arrangement.tiers]),
  )
  expect([tiers.get('claude-opus-5-5'), tiers.get('gpt-5.3-codex-spark')]).toEqual([
    [['claude-work:claude-opus-5-5', 'claude-personal:claude-opus-5-5'], ['anthropic-key:claude-opus-5-5']],
    [['codex-team:gpt-5.3-codex-spark', 'codex-personal:gpt-5.3-codex-spark']],
  ])
})
