/** API profiles and local providers: made, changed, removed, asked for their models. */
import { sourceId } from '../../shared/ids.ts'
import type { ApiDeps } from './api-deps.ts'
import { members, mustBe } from './implement.ts'
import { forgetSource, mustGetProfile, profileView, withoutLogin } from './source-view.ts'

export function profiles(deps: ApiDeps) {
  const { desk, sources, conditions, vault } = deps
  const shown = (id: string) => profileView(mustGetProfile(deps, id), deps.view(), vault)
  const budgetIdOf = (given: string | null | undefined) => (given == null ? given : deps.budgets.find(given).id)
  return {
    list: members.profiles.list.handler(() => {
      const view = deps.view()
      return sources
        .all()
        .flatMap((source) => (source.type === 'subscription' ? [] : [profileView(source, view, vault)]))
    }),
    create: members.profiles.create.handler(async ({ input }) => {
      const budgetId = budgetIdOf(input.budgetId)
      const { id } = mustBe(await desk.createProfile({ ...input, budgetId }))
      return shown(id)
    }),
    update: members.profiles.update.handler(async ({ input: { id, proxy, budgetId, ...change } }) => {
      const { proxy: before } = mustGetProfile(deps, id)
      // As it was shown, without its login: not meant to be changed.
      const isSame = proxy === withoutLogin(before)
      const changed = {
        ...change,
        budgetId: budgetIdOf(budgetId),
        proxy: isSame ? undefined : proxy,
      }
      mustBe(await desk.updateProfile(sourceId(id), changed))
      // Another key or address, or switched on again: what it failed on before says nothing about it now.
      const isFresh = typeof change.apiKey === 'string' || change.baseUrl !== undefined || change.active === true
      if (isFresh) conditions.lift(sourceId(id))
      return shown(id)
    }),
    remove: members.profiles.remove.handler(async ({ input: { id } }) => {
      mustGetProfile(deps, id)
      mustBe(await desk.remove(sourceId(id)))
      forgetSource(deps, sourceId(id))
      return { ok: true as const }
    }),
    discoverModels: members.profiles.discoverModels.handler(async ({ input }) =>
      mustBe(await desk.discoverModels(input)),
    ),
  }
}
