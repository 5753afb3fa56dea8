/** What clovapi left: its logins become read-only accounts, its profiles copies, everything else is listed. */
import { describe, expect, it } from 'vitest'
import { readOlderProfiles } from '../../src/main/accounts/older-profiles.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { codexFile, desk } from './desk-kit.ts'

const folder = '/home/me/.config/clovapi'
const at = (name: string): string => `${folder}/${name}`
const claudeFile = { claudeAiOauth: { accessToken: 'sk-ant-oat01-older', refreshToken: 'sk-ant-ort01-older' } }
const profiles = {
  version: 1,
  active: 'Mine',
  proxy: null,
  profiles: [
    {
      name: 'Mine',
      kind: 'api',
      api_style: 'openai',
      base_url: 'https://api.example.test/v1',
      api_key: 'sk-older-1',
      models: ['m-1'],
    },
    { name: 'Mixed', kind: 'subscription', subscription_provider_id: 'codex' },
    { name: 'Odd', kind: 'api', api_style: 'telepathy', base_url: 'https://x.test', models: [] },
    { name: 'Later', kind: 'quantum' },
  ],
}

function left() {
  const made = desk()
  const put = (name: string, content: unknown, holds: (typeof made.older)[number]['holds']): void => {
    made.files.texts.set(at(name), typeof content === 'string' ? content : JSON.stringify(content))
    made.older.push({ path: at(name), holds })
  }
  put('profiles.json', profiles, { kind: 'profiles' })
  put('subscription/claude.json', claudeFile, { kind: 'login', provider: 'claude', name: 'default' })
  put('subscription/codex.json', codexFile('u1', 's1'), { kind: 'login', provider: 'codex', name: 'default' })
  put('subscription/codex/team.json', codexFile('u1', 's2'), { kind: 'login', provider: 'codex', name: 'team' })
  put('subscription/codex/broken.json', '{', { kind: 'login', provider: 'codex', name: 'broken' })
  put('theme.json', {}, { kind: 'unknown' })
  return made
}

it('looks first: what would be taken over is named, and nothing is', async () => {
  const { desk: door, sources, vault } = left()
  const seen = outcomes(await door.adopt(true))
  expect(seen.filter(([, outcome]) => outcome === 'new').map(([name]) => name)).toEqual([
    'profiles.json',
    'subscription/claude.json',
    'subscription/codex.json',
    'subscription/codex/team.json',
  ])
  expect([sources.all(), vault.records.size]).toEqual([[], 0])
  const taken = outcomes(await door.adopt())
  expect(taken.map(([name, outcome]) => [name, outcome === 'adopted' ? 'new' : outcome, null])).toEqual(seen)
  expect(outcomes(await door.adopt(true)).some(([, outcome]) => outcome === 'new')).toBe(false)
})

const outcomes = (found: readonly { path: string; outcome: string; id: string | null }[]) =>
  found.map(({ path, outcome, id }) => [path.slice(folder.length + 1), outcome, id])

it('adopts once, finds everything again the second time, and writes no file', async () => {
  const { desk: door, sources, files, vault, written } = left()
  const before = new Map(files.texts)
  expect(outcomes(await door.adopt())).toEqual([
    ['profiles.json', 'adopted', 'mine'],
    ['profiles.json', 'unknown', null],
    ['profiles.json', 'unknown', null],
    ['subscription/claude.json', 'adopted', 'claude-default'],
    ['subscription/codex.json', 'adopted', 'codex-default'],
    ['subscription/codex/team.json', 'adopted', 'codex-team'],
    ['subscription/codex/broken.json', 'unknown', null],
    ['theme.json', 'unknown', null],
  ])
  const first = sources.all()
  expect(outcomes(await door.adopt()).filter(([, outcome]) => outcome === 'known')).toEqual([
    ['profiles.json', 'known', 'mine'],
    ['subscription/claude.json', 'known', 'claude-default'],
    ['subscription/codex.json', 'known', 'codex-default'],
    ['subscription/codex/team.json', 'known', 'codex-team'],
  ])
  expect(sources.all()).toEqual(first)
  expect([files.texts, written]).toEqual([before, []])
  // Their refresh tokens are shared with whoever else reads those files: nothing of them is stored.
  expect([...vault.records.keys()]).toEqual([credentialRef(sourceId('mine'))])
  expect(sources.get(sourceId('codex-default'))).toMatchObject({
    custody: 'read-only',
    path: at('subscription/codex.json'),
    credentialRef: null,
  })
})

it('leaves an account alone that was signed in here with the same identity', async () => {
  const { desk: door, sources } = left()
  await door.import({ provider: 'codex', label: 'Own', credential: codexFile('u1', 's1', 'rt-own') })
  const own = sources.get(sourceId('own'))
  expect(outcomes(await door.adopt())[4]).toEqual(['subscription/codex.json', 'known', 'own'])
  expect(sources.get(sourceId('own'))).toEqual(own)
})

describe('profiles.json', () => {
  it.each([
    ['not JSON', '{', null],
    ['another shape', '{"profiles":{}}', null],
    ['none', '{"profiles":[]}', []],
    ['a nameless one', '{"profiles":[{}]}', [{ kind: 'unknown', name: '', why: 'it has no name' }]],
    [
      'models as objects, behind a byte order mark',
      '\uFEFF{"profiles":[{"name":"L","kind":"local","api_style":"chat","base_url":"http://127.0.0.1:1","models":[{"id":"m"}]}]}',
      [
        {
          kind: 'profile',
          input: {
            kind: 'local',
            label: 'L',
            dialects: ['chat'],
            baseUrl: 'http://127.0.0.1:1',
            models: [{ id: 'm', upstreamModel: 'm' }],
          },
        },
      ],
    ],
    [
      'models of another shape',
      '{"profiles":[{"name":"L","kind":"api","api_style":"chat","base_url":"http://x","models":[1]}]}',
      [{ kind: 'unknown', name: 'L', why: 'its models have another shape' }],
    ],
  ])('%s', (_, text, expected) => {
    expect(readOlderProfiles(text)).toEqual(expected)
  })
})
