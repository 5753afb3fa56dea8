/** The call log, read off the data path. */
import { PointsmanError } from '../../shared/errors.ts'
import { callId } from '../../shared/ids.ts'
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'

const defaultPage = 100
const defaultExport = 1_000

export function calls(deps: ApiDeps) {
  const { reader } = deps
  return {
    page: members.calls.page.handler(async ({ input, signal }) => {
      const { limit = defaultPage, offset, cursor, filter = {}, upToId, order } = input ?? {}
      const from = cursor ?? offset ?? 0
      const view = { upToId: upToId === undefined ? undefined : callId(upToId), oldestFirst: order === 'oldest' }
      const { rows, total, newer } = await reader.page(limit, from, filter, view, signal)
      const next = from + rows.length
      return { rows, next: rows.length > 0 && next < total ? next : null, total, newer }
    }),
    get: members.calls.get.handler(async ({ input: { id } }) => {
      const found = await reader.get(callId(id))
      if (found === null) throw new PointsmanError('not_found', { what: `call ${id}` })
      return found
    }),
    export: members.calls.export.handler(async ({ input }) => {
      const { before = null, limit = defaultExport, filter = {} } = input ?? {}
      const found = await reader.older(before === null ? null : callId(before), limit, filter)
      return { calls: found, next: found.length < limit ? null : (found.at(-1)?.call.id ?? null) }
    }),
    stats: members.calls.stats.handler(({ input }) => reader.stats(input)),
    summary: members.calls.summary.handler(({ input }) => reader.summary(input)),
    appended: members.calls.appended.handler(({ signal }) => announcements('calls', deps, signal)),
  }
}
