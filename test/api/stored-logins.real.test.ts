/** What is shown without its secret part can be given back without harm. */
import { createRouterClient } from '@orpc/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlerOptions } from '../../src/main/api/router.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { type Rig, startRig } from '../program/start-core.ts'

let rig: Rig

beforeAll(async () => {
  rig = await startRig({ sources: ['codex-team', 'openai-key'] })
})
afterAll(() => rig.close())

const client = () =>
  createRouterClient(rig.core.router, { context: {}, interceptors: handlerOptions(rig.core.api).clientInterceptors })
const storedProxy = (id: string) => rig.core.api.sources.get(sourceId(id))?.proxy

const withLogin = 'http://user:password@127.0.0.1:1'
const shown = 'http://…@127.0.0.1:1'

test('an account keeps its proxy’s login when the shown form comes back', async () => {
  const { accounts } = client()
  expect(await accounts.setOptions({ id: 'codex-team', proxy: withLogin })).toMatchObject({ proxy: shown })
  expect(await accounts.setOptions({ id: 'codex-team', proxy: shown, weight: 2 })).toMatchObject({
    proxy: shown,
    weight: 2,
  })
  expect(storedProxy('codex-team')).toBe(withLogin)
  await accounts.setOptions({ id: 'codex-team', weight: 1 })
  expect(storedProxy('codex-team')).toBe(withLogin)
  expect(await accounts.setOptions({ id: 'codex-team', proxy: null })).toMatchObject({ proxy: null })
})

test('a profile does too, and is not asked for its key as it would be for another proxy', async () => {
  const { profiles } = client()
  await profiles.update({ id: 'openai-key', proxy: withLogin, apiKey: 'practice-openai-key-1' })
  expect(await profiles.update({ id: 'openai-key', proxy: shown, label: 'Same' })).toMatchObject({
    proxy: shown,
    label: 'Same',
  })
  expect(storedProxy('openai-key')).toBe(withLogin)
  await expect(profiles.update({ id: 'openai-key', proxy: null })).rejects.toMatchObject({ code: 'invalid_input' })
})
