/** Codex sign-in in a browser: PKCE, a listener for the way back, or its address pasted (codex §1.1–1.3, threats T1.9). */
import { type Problem, problem } from '../../shared/errors.ts'
import type { Chance, Digest } from '../ports.ts'
import type { CallbackHost, CallbackVerdict } from '../sign-in-ports.ts'
import { type Callback, readCallback, readPasted } from './callback.ts'
import { type ExchangeDeps, exchangeCode, form, signInFailed } from './code-exchange.ts'
import type { Login } from './login.ts'
import { codexOAuth, withHost } from './oauth-endpoints.ts'
import { isSameText, newPkce, type Pkce } from './pkce.ts'
import type { Attempt } from './sign-in.ts'

export interface BrowserDeps extends ExchangeDeps {
  readonly chance: Chance
  readonly digest: Digest
  readonly callbacks: CallbackHost
  /** Shows a page to the person; does nothing where only they can. */
  openPage(url: string): void
}

/** The listener lives no longer (T1.9, F59). */
const browserMs = 5 * 60_000

export async function signInByBrowser(
  attempt: Attempt,
  isPasted: boolean,
  proxy: string | null,
  deps: BrowserDeps,
): Promise<Login | Problem> {
  const pkce = newPkce(deps.chance, deps.digest)
  const endsAtMs = attempt.endAfter(browserMs)
  const way = waitForCode(attempt, pkce)
  const listener = isPasted
    ? null
    : await deps.callbacks.listen(codexOAuth.callbackPorts, {
        callback: (query) => way.take(readCallback(query)),
        cancelled: () => attempt.end('cancelled'),
      })
  if (listener !== null) attempt.onEnd(() => void listener.close())
  const port = listener?.port ?? codexOAuth.callbackPorts[0]
  const redirectUri = `http://localhost:${port}${codexOAuth.callbackPath}`
  const url = authorizeUrl(pkce, redirectUri, deps)
  const because = listener !== null ? null : isPasted ? 'you chose to paste the address' : portsTaken
  attempt.show({ kind: 'browser', url, port: listener?.port ?? null, because, endsAtMs })
  if (listener !== null && !attempt.isOver) deps.openPage(url)
  const code = await Promise.race([way.code, attempt.stopped])
  attempt.paste = null
  await listener?.close()
  if (typeof code !== 'string') return code
  attempt.show({ kind: 'finishing' })
  return exchangeCode(code, pkce.verifier, redirectUri, proxy, deps)
}

const portsTaken = `other programs hold the ports ${codexOAuth.callbackPorts.join(' and ')}, the only two that the vendor returns to`

function authorizeUrl({ state, challenge }: Pkce, redirectUri: string, { hosts }: ExchangeDeps): string {
  const query = form({
    response_type: 'code',
    client_id: codexOAuth.clientId,
    redirect_uri: redirectUri,
    scope: codexOAuth.scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    id_token_add_organizations: 'true',
    codex_cli_simplified_flow: 'true',
    originator: 'pointsman',
  })
  return `${withHost(codexOAuth.authorizeUrl, hosts.codexAuth)}?${query}`
}

interface Way {
  readonly code: Promise<string>
  take(callback: Callback): CallbackVerdict
}

/** The state opens once: a wrong one changes nothing, so that a page that guesses can't end the sign-in either. */
function waitForCode(attempt: Attempt, { state }: Pkce): Way {
  let isSpent = false
  let resolve: (code: string) => void = () => {}
  const code = new Promise<string>((settle) => {
    resolve = settle
  })
  const take = (callback: Callback): CallbackVerdict => {
    if (callback.kind === 'unreadable' || isSpent || attempt.isOver) return 'refused'
    if (!isSameText(callback.state, state)) return 'refused'
    isSpent = true
    if (callback.kind === 'code') {
      resolve(callback.code)
      return 'accepted'
    }
    if (callback.denied) attempt.end('denied')
    else attempt.fail(signInFailed('the vendor’s page reported an error'))
    return 'denied'
  }
  attempt.paste = (text) => {
    const callback = readPasted(text, codexOAuth.callbackPath)
    const why =
      callback.kind === 'unreadable'
        ? 'paste the whole address that the browser shows after signing in; it begins with http://localhost'
        : 'this address belongs to another sign-in'
    return take(callback) === 'refused' ? problem('invalid_input', { why }) : null
  }
  return { code, take }
}
