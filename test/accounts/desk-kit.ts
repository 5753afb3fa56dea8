/** A desk over hand-made ports, and Codex logins as their CLI writes them. */
import { SourceDesk } from '../../src/main/accounts/source-desk.ts'
import type { WebAnswer } from '../../src/main/ports.ts'
import type { OlderFile } from '../../src/main/sign-in-ports.ts'
import { bench, codexClaims, digest, jwt, noHosts } from './kit.ts'

/** A desk without accounts. `answers` by the end of the URL's path; anything else is unreachable. */
export function desk(answers: Readonly<Record<string, WebAnswer>> = {}) {
  const made = bench(null)
  made.sources.map.clear()
  made.web.otherwise(({ url }) => {
    const path = url.replace(/\?.*$/, '')
    const found = Object.entries(answers).find(([end]) => path.endsWith(end))
    return found?.[1] ?? { kind: 'unreachable', why: 'offline' }
  })
  const { web, vault, files, clock, log, sources, refresher } = made
  const deps = { web, vault, files, clock, log, sources, hosts: noHosts, codexClientVersion: () => '0.170.0' }
  const written: string[] = []
  const older: OlderFile[] = []
  const loginFiles = {
    async replace({ path }: { path: string }, text: string) {
      written.push(text)
      files.texts.set(path, text)
    },
  }
  const desk = new SourceDesk({
    ...deps,
    digest,
    loginFiles,
    older: { list: async () => older },
    enterHost: () => {},
    tokenFor: async (source) => refresher.tokenFor(source),
    isRenewing: (id) => refresher.isRenewing(id),
  })
  return { ...made, desk, written, older }
}

export const codexFile = (userId: string, accountId: string, refresh = `rt-${userId}-${accountId}`) => ({
  auth_mode: 'chatgpt',
  tokens: {
    id_token: jwt(codexClaims(userId, accountId)),
    access_token: jwt({ ...codexClaims(userId, accountId), jti: refresh }),
    refresh_token: refresh,
    account_id: accountId,
  },
})
