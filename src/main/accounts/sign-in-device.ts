/** Codex sign-in with a device code: for machines whose browser is elsewhere (codex §1.7). */
import type { Problem } from '../../shared/errors.ts'
import { asObject, asText } from '../dialects/json.ts'
import type { WebAnswer } from '../ports.ts'
import { type ExchangeDeps, exchangeCode, signInFailed } from './code-exchange.ts'
import { isProblem, type Login, tokenText } from './login.ts'
import { codexOAuth, withHost } from './oauth-endpoints.ts'
import { failureText, isAnswer, jsonOf } from './own-request.ts'
import type { Attempt } from './sign-in.ts'

/** How long the vendor keeps a code (codex §1.7). */
const deviceMs = 15 * 60_000
const timeoutMs = 30_000
const shortestWaitMs = 1_000
const longestWaitMs = 60_000
const defaultSeconds = 5

interface DeviceCode {
  readonly id: string
  readonly userCode: string
  readonly waitMs: number
}

export async function signInByDevice(
  attempt: Attempt,
  proxy: string | null,
  deps: ExchangeDeps,
): Promise<Login | Problem> {
  const endsAtMs = attempt.endAfter(deviceMs)
  const asked = await post(codexOAuth.deviceCodeUrl, { client_id: codexOAuth.clientId }, proxy, deps)
  const code = readDeviceCode(asked)
  if (isProblem(code)) return code
  const url = withHost(codexOAuth.devicePageUrl, deps.hosts.codexAuth)
  attempt.show({ kind: 'device', url, userCode: code.userCode, endsAtMs })
  // Bounded by the attempt's own end, which the pause notices.
  while (await pause(attempt, code.waitMs, deps)) {
    const body = { device_auth_id: code.id, user_code: code.userCode }
    const answer = await post(codexOAuth.deviceTokenUrl, body, proxy, deps)
    if (attempt.isOver) break
    // A network that is away for a moment, or a server in trouble, is no refusal.
    if (!isAnswer(answer) || answer.status >= 500 || answer.status === 429) continue
    if (answer.status === 403 || answer.status === 404) continue
    if (answer.status < 200 || answer.status > 299) return signInFailed(failureText(answer))
    const granted = asObject(jsonOf(answer))
    const authorisation = tokenText(granted?.authorization_code)
    const verifier = tokenText(granted?.code_verifier)
    if (authorisation === null || verifier === null) return signInFailed('the vendor’s answer held no sign-in code')
    attempt.show({ kind: 'finishing' })
    const redirectUri = withHost(codexOAuth.deviceRedirectUrl, deps.hosts.codexAuth)
    return exchangeCode(authorisation, verifier, redirectUri, proxy, deps)
  }
  return attempt.stopped
}

type Answered = Awaited<ReturnType<ExchangeDeps['web']['fetch']>>

const post = (url: string, body: object, proxy: string | null, { web, hosts }: ExchangeDeps): Promise<Answered> =>
  web.fetch({
    url: withHost(url, hosts.codexAuth),
    method: 'POST',
    headers: ['content-type', 'application/json', 'accept', 'application/json'],
    body: JSON.stringify(body),
    proxy,
    timeoutMs,
  })

function readDeviceCode(answer: Answered): DeviceCode | Problem {
  if (isAnswer(answer) && answer.status === 404)
    return signInFailed('device codes are not enabled for this vendor; sign in with the browser instead')
  if (!isAnswer(answer) || answer.status < 200 || answer.status > 299) return signInFailed(failureText(answer))
  return codeIn(answer) ?? signInFailed('the vendor’s answer held no device code')
}

/** The interval is mostly a text, and seconds. */
function codeIn(answer: WebAnswer): DeviceCode | null {
  const body = asObject(jsonOf(answer))
  const id = tokenText(body?.device_auth_id)
  const userCode = asText(body?.user_code) ?? asText(body?.usercode)
  // It is shown to a person: letters, digits and hyphens, and not many.
  if (id === null || userCode === null || !/^[A-Za-z0-9-]{4,40}$/.test(userCode)) return null
  const seconds = Number(body?.interval ?? defaultSeconds)
  const waitMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : defaultSeconds) * 1_000
  return { id, userCode, waitMs: Math.min(longestWaitMs, Math.max(shortestWaitMs, waitMs)) }
}

/** False when the attempt ended meanwhile. */
async function pause(attempt: Attempt, ms: number, { clock }: ExchangeDeps): Promise<boolean> {
  if (attempt.isOver) return false
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, resolve)
    attempt.onEnd(() => {
      cancel()
      resolve()
    })
  })
  return !attempt.isOver
}
