/** Subscription accounts: lists, imports, switches. */

import { PointsmanError } from '../../shared/errors.ts'
import { sourceId } from '../../shared/ids.ts'
import { readProxy } from '../accounts/base-url.ts'
import { keyringPlace } from '../accounts/login-place.ts'
import { readLabel } from '../accounts/profile.ts'
import type { Account } from '../domain/source.ts'
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { members, mustBe } from './implement.ts'
import { acceptTermsOf, signInMembers, termsNeeded, termsWarning } from './sign-in.ts'
import { accountView, forgetSource, mustGetAccount, withoutLogin } from './source-view.ts'

export function accounts(deps: ApiDeps) {
  const { desk, sources, conditions, clock } = deps
  const shown = (id: string) => accountView(mustGetAccount(deps, id), deps.view(), deps.vault)
  const change = (id: string, changes: Partial<Account>) => {
    sources.save({ ...mustGetAccount(deps, id), ...changes, updatedAtMs: clock.nowMs() })
    return shown(id)
  }
  return {
    list: members.accounts.list.handler(() => {
      const view = deps.view()
      return sources
        .all()
        .flatMap((source) => (source.type === 'subscription' ? [accountView(source, view, deps.vault)] : []))
    }),
    import: members.accounts.import.handler(async ({ input }) => {
      const { replaces, acceptTerms, atLimit, keyringOf, ...rest } = input
      if (keyringOf !== undefined && input.provider !== 'codex')
        throw new PointsmanError('invalid_input', { why: 'only the Codex CLI keeps its login in the keychain' })
      const place = keyringOf === undefined ? {} : { path: keyringPlace(keyringOf) }
      const isTold = acceptTerms === true
      if (isTold) acceptTermsOf(input.provider, replaces !== undefined, atLimit, deps)
      const unread = isTold ? null : termsWarning(termsNeeded(input.provider, replaces !== undefined, deps))
      if (replaces !== undefined) mustGetAccount(deps, replaces)
      const again = replaces === undefined ? undefined : sourceId(replaces)
      const { account, isNew, warning } = mustBe(await desk.import({ ...rest, ...place, replaces: again }))
      // A new sign-in: what was learnt with the old one counts no more (routing §7).
      if (!isNew) {
        conditions.lift(account.id)
        conditions.forgetWindows(account.id)
      }
      const warnings = [warning, isNew ? unread : null].filter((part) => part !== null)
      return { ...shown(account.id), isNew, warning: warnings.length === 0 ? null : warnings.join(' ') }
    }),
    ...signInMembers(deps),
    adopt: members.accounts.adopt.handler(() => desk.adopt()),
    adoptPreview: members.accounts.adoptPreview.handler(() => desk.adopt(true)),
    rename: members.accounts.rename.handler(({ input: { id, label } }) =>
      change(id, { label: mustBe(readLabel(label)).text }),
    ),
    setActive: members.accounts.setActive.handler(({ input: { id, active } }) => {
      const view = change(id, { active })
      if (active) conditions.lift(sourceId(id))
      return active ? shown(id) : view
    }),
    setOptions: members.accounts.setOptions.handler(({ input: { id, ...options } }) => {
      const { models, provider, proxy: before } = mustGetAccount(deps, id)
      const { proxy, defaultModel, serves } = options
      if (serves !== undefined && provider === 'claude') {
        throw new PointsmanError('invalid_input', { why: 'a Claude subscription serves Claude Code and nothing else' })
      }
      if (typeof defaultModel === 'string' && !models.some((model) => model.id === defaultModel)) {
        throw new PointsmanError('invalid_input', { why: 'the default model is not one of the models' })
      }
      const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
      // As it was shown, without its login: not meant to be changed.
      const isSame = proxy === undefined || proxy === withoutLogin(before)
      return change(id, { ...given, proxy: isSame ? before : mustBe(readProxy(proxy)) })
    }),
    handOver: members.accounts.handOver.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      const { warning } = mustBe(await desk.handOver(sourceId(id)))
      return { ...shown(id), isNew: false, warning }
    }),
    handBack: members.accounts.handBack.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      mustBe(await desk.handBack(sourceId(id)))
      return shown(id)
    }),
    signOut: members.accounts.signOut.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      mustBe(await desk.signOut(sourceId(id)))
      return shown(id)
    }),
    remove: members.accounts.remove.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      mustBe(await desk.remove(sourceId(id)))
      forgetSource(deps, sourceId(id))
      return { ok: true as const }
    }),
    refreshModels: members.accounts.refreshModels.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      mustBe(await desk.refreshModels(sourceId(id)))
      conditions.lift(sourceId(id))
      return shown(id)
    }),
    refreshQuota: members.accounts.refreshQuota.handler(async ({ input: { id } }) => {
      mustGetAccount(deps, id)
      mustBe(await deps.poller.refresh(sourceId(id)))
      return shown(id)
    }),
    changed: members.accounts.changed.handler(({ signal }) => announcements('accounts', deps, signal)),
  }
}
