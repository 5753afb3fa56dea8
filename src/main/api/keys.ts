/** Access keys: made, renewed, switched, limited. Secrets leave here once, where they are made. */
import { PointsmanError } from '../../shared/errors.ts'
import { type SourceId, sourceId } from '../../shared/ids.ts'
import { readLabel } from '../accounts/profile.ts'
import { type AccessKey, keyState, plainFolder, type RoutePolicy } from '../domain/access-key.ts'
import type { KeyChange } from '../state/keys.ts'
import type { ApiDeps } from './api-deps.ts'
import { checkStrategy } from './check-strategy.ts'
import { members, mustBe } from './implement.ts'
import { previewKeys, previewPool, previewSource } from './preview.ts'

/** The one whose plaintext lies in a file (architecture, "Commands"). */
const defaultLabel = 'default'

export function keys(deps: ApiDeps) {
  const shown = (key: AccessKey) => ({
    ...key,
    folders: key.folders ?? [],
    state: keyState(key, deps.clock.nowMs()),
  })
  return {
    list: members.keys.list.handler(() => deps.keys.all().map(shown)),
    create: members.keys.create.handler(({ input: { label, state, ...limits } }) => {
      const change = { ...changeOf(limits, null, deps), state }
      const { key, secret } = deps.keys.create(mustBe(readLabel(label)).text, change)
      keepDefault(key, secret)
      return { ...shown(key), secret }
    }),
    rotate: members.keys.rotate.handler(({ input: { id } }) => {
      const { key, secret } = deps.keys.rotate(deps.keys.find(id).id)
      keepDefault(key, secret)
      return { ...shown(key), secret }
    }),
    setState: members.keys.setState.handler(({ input: { id, state } }) =>
      shown(deps.keys.setState(deps.keys.find(id).id, state)),
    ),
    setPolicy: members.keys.setPolicy.handler(({ input: { id, label, ...limits } }) => {
      const key = deps.keys.find(id)
      const renamed = label === undefined ? undefined : mustBe(readLabel(label)).text
      if (renamed !== undefined && renamed !== key.label && [renamed, key.label].includes(defaultLabel)) {
        throw new PointsmanError('invalid_input', { why: 'the default key keeps its name, by which its file is kept' })
      }
      return shown(deps.keys.change(key.id, { ...changeOf(limits, key, deps), label: renamed }))
    }),
    preview: members.keys.preview.handler(({ input }) => {
      if (input.kind === 'pool') return previewPool(input.poolId, deps)
      if (input.kind === 'account') return previewSource(mustGetSource(input.sourceId, deps), deps)
      if (input.kind === 'keys') {
        const { kind: _, ids, ...together } = input
        return previewKeys(
          ids.map((id) => changedTo(deps.keys.find(id), together)),
          deps,
        )
      }
      const { kind: _, id, ...limits } = input
      return previewKeys([changedTo(deps.keys.find(id), limits)], deps)
    }),
    bulk: members.keys.bulk.handler(({ input: { ids, state, ...limits } }) => {
      const chosen = [...new Set(ids.map((id) => deps.keys.find(id)))]
      const changes = chosen.map((key) => [key.id, { ...changeOf(limits, key, deps), state }] as const)
      return deps.keys.changeAll(changes).map(shown)
    }),
  }

  function changedTo(key: AccessKey, { state, ...limits }: Limits & Pick<KeyChange, 'state'>): AccessKey {
    const given = Object.entries({ ...changeOf(limits, key, deps), state }).filter(([, value]) => value !== undefined)
    return { ...key, ...Object.fromEntries(given) }
  }

  function keepDefault({ label }: AccessKey, secret: string): void {
    if (label !== defaultLabel) return
    try {
      deps.saveDefaultKey(secret)
    } catch (cause) {
      // The key counts already: losing its secret as well would help nobody.
      deps.log.fault('default-key-unsaved', cause)
    }
  }
}

type PolicyInput =
  | { readonly mode: 'default' }
  | { readonly mode: 'strict'; readonly sources: readonly string[] }
  | {
      readonly mode: 'preferred'
      readonly sources: readonly string[]
      readonly fallback?:
        | 'default'
        | 'none'
        | { readonly sources: readonly string[]; readonly strategy?: string | undefined }
        | undefined
    }
  | { readonly mode: 'pool'; readonly sources: readonly string[]; readonly strategy?: string | undefined }

type Limits = Omit<KeyChange, 'policy' | 'label' | 'state' | 'budgetId' | 'folders'> & {
  readonly policy?: PolicyInput | null | undefined
  readonly budgetId?: string | null | undefined
  readonly folders?: readonly { readonly folder: string; readonly policy: PolicyInput }[] | undefined
}

/** The policy checked against what exists; `key` is null for a new one. */
function changeOf({ policy, budgetId, folders, ...rest }: Limits, key: AccessKey | null, deps: ApiDeps): KeyChange {
  const models = rest.models === undefined ? (key?.models ?? null) : rest.models
  return {
    ...rest,
    policy: policy == null ? policy : policyOf(policy, models, deps),
    budgetId: budgetId == null ? budgetId : deps.budgets.find(budgetId).id,
    folders: folders?.map((rule) => ({
      folder: checkedFolder(rule.folder),
      policy: policyOf(rule.policy, models, deps),
    })),
  }
}

function checkedFolder(text: string): string {
  const folder = plainFolder(text.trim())
  if (/^(\/|[a-z]:\/)/.test(folder)) return folder
  throw new PointsmanError('invalid_input', { why: 'a folder is named by its whole path' })
}

function mustGetSource(id: string, { sources }: ApiDeps): SourceId {
  const source = sources.get(sourceId(id))
  if (source === undefined) throw new PointsmanError('not_found', { what: `source ${id}` })
  return source.id
}

function policyOf(policy: PolicyInput, models: readonly string[] | null, deps: ApiDeps): RoutePolicy {
  const { defaultStrategy } = deps.settings()
  const sourcesOf = (ids: readonly string[]) => checkedSources(ids, models, deps)
  const strategyOf = (id: string | undefined): string => {
    checkStrategy(id ?? null)
    return id ?? defaultStrategy
  }
  switch (policy.mode) {
    case 'default':
      return { mode: 'default' }
    case 'strict':
      return { mode: 'strict', sources: sourcesOf(policy.sources) }
    case 'pool':
      return { mode: 'pool', sources: sourcesOf(policy.sources), strategy: strategyOf(policy.strategy) }
    case 'preferred': {
      const { fallback = 'default' } = policy
      const others =
        typeof fallback === 'string'
          ? fallback
          : { sources: sourcesOf(fallback.sources), strategy: strategyOf(fallback.strategy) }
      return { mode: 'preferred', sources: sourcesOf(policy.sources), fallback: others }
    }
  }
}

/** A source that serves none of the key's models would never be used (access.md, "Route policy"). */
function checkedSources(
  ids: readonly string[],
  models: readonly string[] | null,
  { sources }: ApiDeps,
): readonly SourceId[] {
  return [...new Set(ids)].map((id) => {
    const source = sources.get(sourceId(id))
    if (source === undefined) throw new PointsmanError('not_found', { what: `source ${id}` })
    const names = source.models.flatMap((model) => [model.id, model.upstreamModel, ...model.aliases])
    if (models !== null && names.length > 0 && !names.some((name) => models.includes(name))) {
      throw new PointsmanError('invalid_input', { why: `${source.label} serves none of the key’s models` })
    }
    return source.id
  })
}
