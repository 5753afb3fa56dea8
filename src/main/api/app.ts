/** The program itself: its snapshot, and pausing. */

import { PointsmanError } from '../../shared/errors.ts'
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'
import { vaultStateOf } from './vault.ts'

export function app(deps: ApiDeps) {
  const setPaused = (paused: boolean): { readonly ok: true } => {
    if (deps.settings().paused !== paused) deps.changeSettings({ ...deps.settings(), paused })
    return { ok: true }
  }
  return {
    snapshot: members.app.snapshot.handler(() => {
      const { paused, defaultStrategy } = deps.settings()
      return {
        version: deps.version,
        revision: deps.announcer.revision,
        practice: deps.practice !== null,
        paused,
        address: `http://127.0.0.1:${deps.port}`,
        port: deps.port,
        dataDir: deps.dataDir,
        defaultStrategy,
        sources: deps.sources.all().length,
        vault: vaultStateOf(deps.vault.state()),
        clock: deps.clockSkew(),
        keepsOldCalls: deps.keepsOldCalls(),
        repaired: [...deps.repaired()],
        saving: deps.calls.saving(),
      }
    }),
    pause: members.app.pause.handler(() => setPaused(true)),
    resume: members.app.resume.handler(() => setPaused(false)),
    openLink: members.app.openLink.handler(() => {
      const url = deps.windowLink()
      if (url === null) throw new PointsmanError('not_found', { what: 'window in a browser here' })
      return { url }
    }),
    changed: members.app.changed.handler(({ signal }) => announcements('app', deps, signal)),
  }
}
