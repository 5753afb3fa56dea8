/** The one door for changes to sources that touch their secrets; changes wait for one another. */
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import { credentialRef, type SourceId } from '../../shared/ids.ts'
import type { Account, Source, SourceModel } from '../domain/source.ts'
import type { WebAnswer } from '../ports.ts'
import { type Adoption, adopt } from './adopt.ts'
import { keyRefusal, readBaseUrl } from './base-url.ts'
import type { DeskDeps } from './desk-deps.ts'
import { handBack, handOver } from './hand-over.ts'
import { identifyClaude } from './identify.ts'
import { addLogin, type Imported, type ImportInput, importAccount, type NewLogin } from './import.ts'
import { isProblem } from './login.ts'
import { type ModelPlace, mergeModels, modelPlaceOf, readModels } from './models.ts'
import {
  changeProfile,
  type Keyed,
  type MadeProfile,
  makeProfile,
  type ProfileChange,
  type ProfileInput,
  providerOf,
} from './profile.ts'
import { ownGrant, revoke } from './revoke.ts'
import { type SmallAsk, tryModel } from './try-model.ts'

export type Discovery = Pick<ProfileInput, 'kind' | 'dialects' | 'baseUrl' | 'apiKey' | 'provider'>

export class SourceDesk {
  readonly #deps: DeskDeps
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: DeskDeps) {
    this.#deps = deps
  }

  import(input: ImportInput): Promise<Imported | Problem> {
    return this.#next(() => importAccount(input, this.#deps))
  }

  /** After a sign-in of Pointsman's own. */
  add(fresh: NewLogin): Promise<Imported | Problem> {
    return this.#next(() => addLogin(fresh, this.#deps))
  }

  /** Pointsman becomes the holder of a login that its CLI held. */
  handOver(id: SourceId): Promise<Imported | Problem> {
    return this.#next(() => handOver(id, this.#deps))
  }

  /** The CLI becomes the holder again. */
  handBack(id: SourceId): Promise<Account | Problem> {
    return this.#next(() => handBack(id, this.#deps))
  }

  /** What clovapi left on this machine; `isDry` only looks. */
  adopt(isDry = false): Promise<readonly Adoption[]> {
    return adopt({
      ...this.#deps,
      isDry,
      import: (input) => this.import(input),
      createProfile: (input) => this.createProfile(input),
    })
  }

  createProfile(input: ProfileInput): Promise<Keyed | Problem> {
    return this.#next(async () => {
      const taken = new Set<string>(this.#deps.sources.all().map(({ id }) => id))
      return this.#keep(makeProfile(input, taken, this.#deps.clock.nowMs()))
    })
  }

  updateProfile(id: SourceId, change: ProfileChange): Promise<Keyed | Problem> {
    return this.#next(async () => {
      const source = this.#deps.sources.get(id)
      if (source === undefined || source.type === 'subscription') return problem('not_found', { what: `profile ${id}` })
      return this.#keep(changeProfile(source, change, this.#deps.clock.nowMs()))
    })
  }

  /** Forgets the credential; the account stays and says that it needs a sign-in. */
  signOut(id: SourceId): Promise<Problem | null> {
    return this.#forget(id, () => {
      const { sources, clock } = this.#deps
      sources.signedOut(id, 'you signed it out')
      const account = sources.get(id)
      // Without its path a read-only account isn't signed in again by its CLI.
      if (account?.type === 'subscription') sources.save({ ...account, path: null, updatedAtMs: clock.nowMs() })
    })
  }

  /** For any source. A renewal that ends later finds no record and writes none (F68). */
  remove(id: SourceId): Promise<Problem | null> {
    return this.#forget(id, () => this.#deps.sources.remove(id))
  }

  /** Reads the list anew, and whose the account is if that isn't known yet. */
  async refreshModels(id: SourceId): Promise<Source | Problem> {
    const { sources, clock } = this.#deps
    const source = sources.get(id)
    if (source === undefined) return problem('not_found', { what: `source ${id}` })
    const credential = await this.#deps.tokenFor(source)
    if (credential !== null && isProblem(credential)) return credential
    const asks = source.type === 'subscription' && source.provider === 'claude' && source.custody !== 'setup-token'
    const [models, holder] = await Promise.all([
      readModels(modelPlaceOf(source), credential, this.#deps),
      asks && credential?.kind === 'oauth'
        ? identifyClaude(credential, source.proxy, this.#deps.hosts, this.#deps)
        : null,
    ])
    if (isProblem(models)) return models
    const now = sources.get(id)
    if (now === undefined) return problem('not_found', { what: `source ${id}` })
    const merged = models.length === 0 ? now.models : mergeModels(now.models, models)
    const updated = { ...now, models: merged, updatedAtMs: clock.nowMs() }
    const named =
      updated.type === 'subscription' && holder !== null
        ? { ...updated, ...holder, identity: updated.identity ?? holder.identity, plan: holder.plan ?? updated.plan }
        : updated
    sources.save(named)
    return named
  }

  /** The list as the source gives it now, which also proves its login or key; nothing is stored. */
  async listModels(id: SourceId): Promise<readonly SourceModel[] | Problem> {
    const source = this.#deps.sources.get(id)
    if (source === undefined) return problem('not_found', { what: `source ${id}` })
    const credential = await this.#deps.tokenFor(source)
    if (credential !== null && isProblem(credential)) return credential
    return readModels(modelPlaceOf(source), credential, this.#deps)
  }

  /** Sends one small request to a model behind a key or on this machine. */
  async tryModel(source: Keyed, ask: SmallAsk): Promise<WebAnswer | Problem> {
    const credential = await this.#deps.tokenFor(source)
    if (credential !== null && isProblem(credential)) return credential
    return tryModel(source, ask, credential, this.#deps)
  }

  /** For a profile that is about to be made: the same address and key rules apply (T7.6). */
  async discoverModels(input: Discovery): Promise<readonly SourceModel[] | Problem> {
    const baseUrl = readBaseUrl(input.baseUrl)
    if (isProblem(baseUrl)) return baseUrl
    const key = input.apiKey?.trim() || null
    const refused = key === null ? null : keyRefusal(key, baseUrl)
    if (refused !== null) return refused
    const place: ModelPlace = {
      kind: providerOf(input),
      label: baseUrl.host,
      baseUrl: baseUrl.text,
      local: input.kind === 'local',
      proxy: null,
    }
    this.#deps.enterHost(baseUrl.text)
    return readModels(place, key === null ? null : { kind: 'api-key', key }, this.#deps)
  }

  /** Vault first, then the source. */
  async #keep(made: MadeProfile | Problem): Promise<Keyed | Problem> {
    if (isProblem(made)) return made
    const { source, apiKey } = made
    const { vault, sources } = this.#deps
    const isNew = sources.get(source.id) === undefined
    try {
      if (apiKey !== null) await vault.write(credentialRef(source.id), { kind: 'api-key', key: apiKey })
      sources.save(source)
      return source
    } catch (cause) {
      if (isNew && apiKey !== null) await vault.remove(credentialRef(source.id)).catch(() => {})
      return problemOf(cause)
    }
  }

  #forget(id: SourceId, then: () => void): Promise<Problem | null> {
    return this.#next(async () => {
      const source = this.#deps.sources.get(id)
      if (source === undefined) return problem('not_found', { what: `source ${id}` })
      const grant = ownGrant(source, this.#deps.vault)
      try {
        if (source.credentialRef !== null) await this.#erase(id)
        then()
        // In the background, best effort: the account is gone here whatever the vendor answers.
        if (grant !== null) void revoke(grant, source.proxy, this.#deps)
        return null
      } catch (cause) {
        return problemOf(cause)
      }
    })
  }

  /** A full disk doesn't stop it: the vault has dropped the record in memory and writes that when it can. */
  async #erase(id: SourceId): Promise<void> {
    try {
      await this.#deps.vault.remove(credentialRef(id))
    } catch (cause) {
      if (!(cause instanceof PointsmanError) || cause.problem.code !== 'vault_write_failed') throw cause
      this.#deps.log.fault('vault-write-failed', cause)
    }
  }

  #next<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = turn.catch(() => {})
    return turn
  }
}

function problemOf(cause: unknown): Problem {
  if (cause instanceof PointsmanError) return cause.problem
  throw cause
}
