/** Inputs that the members of the contract take, for a run that asks all of them; made when their turn comes. */
import type { Canary } from './canary-kit.ts'

type Ask = <Output>(member: string, input?: unknown) => Promise<Output>
type Input = object | ((ask: Ask) => Promise<object>)
interface Named {
  readonly id: string
}

const model = 'gpt-5.5'
const poolId = model
const firstId =
  (member: string, input: object = {}): Input =>
  async (ask) => {
    const found = await ask<readonly Named[] | { readonly rows: readonly Named[] }>(member, input)
    const rows = 'rows' in found ? found.rows : found
    return { id: rows[0]?.id ?? 'absent' }
  }
const withId =
  (member: string, more: object): Input =>
  async (ask) => ({ ...(await (firstId(member) as (ask: Ask) => Promise<object>)(ask)), ...more })

const keyId = async (ask: Ask, label: string): Promise<string> =>
  (await ask<readonly (Named & { readonly label: string })[]>('keys.list')).find((key) => key.label === label)?.id ?? ''

const newestSession = async (ask: Ask): Promise<object> => {
  const { rows } = await ask<{ readonly rows: readonly { readonly session: string }[] }>('bindings.list')
  return { session: rows[0]?.session ?? '' }
}

/** By member; each is asked once with each input. */
export function inputsOf(secrets: Canary, keyedOrigin: string): Readonly<Record<string, readonly Input[]>> {
  const account = { id: 'codex-team' }
  const backendId = `keyed:${model}`
  const key = 'a key of the run'
  const budget = { label: 'a budget', amount: 1_000_000_000, cycle: 'month', timeZone: 'UTC', concurrency: null }
  const period = { fromMs: 0, toMs: Date.now() + 60_000 }
  return {
    'accounts.import': [
      { provider: 'codex', label: 'bad', credential: { tokens: { access_token: secrets['client’s own bearer'] } } },
      { provider: 'claude', label: 'bad', setupToken: secrets['client’s own API key'] },
    ],
    'accounts.terms': [{ provider: 'codex' }],
    'accounts.startSignIn': [{ provider: 'codex', method: 'paste', acceptTerms: true }],
    'accounts.signIn': [firstId('accounts.signIns')],
    'accounts.finishSignIn': [
      withId('accounts.signIns', {
        callbackUrl: `http://localhost:1455/auth/callback?code=${secrets['client’s own bearer']}&state=x`,
      }),
    ],
    'accounts.cancelSignIn': [firstId('accounts.signIns')],
    'accounts.rename': [{ ...account, label: 'Codex, renamed' }],
    'accounts.setActive': [{ ...account, active: true }],
    'accounts.setOptions': [{ ...account, weight: 2 }],
    'accounts.handOver': [account],
    'accounts.handBack': [account],
    'accounts.refreshModels': [account],
    'accounts.refreshQuota': [account],
    'accounts.signOut': [account],
    'accounts.remove': [account],
    'profiles.create': [
      {
        kind: 'local',
        label: 'local',
        dialects: ['chat'],
        baseUrl: 'http://127.0.0.1:9',
        models: [{ id: 'local-model' }],
      },
      {
        kind: 'api',
        label: 'refused',
        dialects: ['chat'],
        baseUrl: 'http://far.test',
        apiKey: secrets['API key'],
        models: [],
      },
    ],
    'profiles.update': [{ id: 'keyed', weight: 2 }],
    'profiles.remove': [{ id: 'local' }],
    'profiles.discoverModels': [
      { kind: 'api', dialects: ['responses'], baseUrl: keyedOrigin, apiKey: secrets['API key'] },
    ],
    'models.setOrder': [{ poolId, tiers: [[backendId]], basedOn: 0 }],
    'models.setEnabled': [{ backendId, enabled: true }],
    'models.setStrategy': [{ poolId, strategy: 'rotate' }],
    'models.setStrict': [{ poolId, strict: null }],
    'models.setBackend': [{ backendId, weight: 2 }],
    'models.test': [{ backendId }],
    'models.losses': [{ backendId }],
    'models.explain': [{ providerId: 'codex', model, dialect: 'responses' }],
    'models.setRoute': [{ providerId: 'codex', matchModel: 'gpt-5.5', tiers: [[backendId]] }],
    'models.previewRoute': [{ providerId: 'codex', matchModel: 'gpt-5.5', tiers: [[backendId]] }],
    'models.removeRoute': [firstId('models.routes')],
    'models.moveConversations': [{ poolId }],
    'bindings.release': [{ sourceId: 'codex-team' }],
    'bindings.move': [async (ask) => ({ ...(await newestSession(ask)), sourceId: 'keyed' })],
    'calls.page': [{ limit: 500, offset: 0 }],
    'calls.get': [firstId('calls.page', { limit: 1, offset: 0 })],
    'calls.export': [{ before: null, limit: 100 }, {}],
    'calls.stats': [{ fromMs: Date.now() - 3_600_000, toMs: Date.now() + 60_000, stepMs: 60_000 }],
    'calls.summary': [period],
    'clients.preview': [{ client: 'codex' }, { client: 'claude' }, { client: 'claude-code' }],
    'clients.connect': [{ client: 'codex' }, { client: 'claude' }, { client: 'claude-code' }],
    'clients.restore': [{ client: 'codex' }, { client: 'claude' }, { client: 'claude-code' }],
    'clients.sdkPreview': [{ shell: 'posix' }],
    'clients.sdk': [{ shell: 'fish' }],
    'clients.setSmallModel': [{ backendId }],
    'keys.create': [{ label: key }],
    'keys.rotate': [async (ask) => ({ id: await keyId(ask, key) })],
    'keys.setState': [{ id: 'default', state: 'active' }],
    'keys.setPolicy': [{ id: 'default', concurrency: null }],
    'keys.preview': [
      { kind: 'account', sourceId: 'codex-team' },
      { kind: 'key', id: 'default', concurrency: 4 },
    ],
    'keys.bulk': [async (ask) => ({ ids: [await keyId(ask, key)], state: 'active' })],
    'budgets.create': [budget],
    'budgets.update': [withId('budgets.list', { enabled: true })],
    'budgets.ledger': [firstId('budgets.list')],
    'budgets.adjust': [withId('budgets.list', { amount: 1_000, note: 'a correction' })],
    'quota.history': [{ sourceId: 'codex-team', window: 'weekly', ...period }],
    'quota.resetCredits': [{ sourceId: 'codex-team' }, account],
    'quota.spendReset': [{ sourceId: 'codex-team', creditId: 'absent', confirm: true }],
    'rehearsal.run': [period, {}],
    'settings.set': [{ debugRoutes: true }],
    'practice.fault': [{ sourceId: 'codex-team', fault: 'none' }],
  }
}
