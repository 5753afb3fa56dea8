/** Makes ready what one candidate is sent: the client's bytes with few edits, or their translation. */

import { HeaderList } from '../dialects/headers.ts'
import { bytesOf } from '../dialects/json.ts'
import { scanBody } from '../dialects/scan.ts'
import type { Credential } from '../domain/credential.ts'
import { modelFamily } from '../domain/quota.ts'
import { isStrict } from '../domain/settings.ts'
import { type Dialect, dialectsOf } from '../domain/source.ts'
import { judgeRules } from '../domain/verdict.ts'
import type { Body } from '../ports.ts'
import { providerOf } from '../providers/index.ts'
import type { Blamed } from '../translate/blamed.ts'
import type { TranslationOf } from '../translate/translate-request.ts'
import { type Call, scannedFields } from './10-ingress.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import { abilitiesOf } from './abilities-of.ts'
import { operationRefusal } from './attempt-refusals.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { OwnAnswer } from './opened.ts'
import { type Outbound, outbound, type Translated } from './outbound.ts'
import { bySocket, turnBar } from './socket/socket-turn.ts'
import { spokenDialect } from './spoken-dialect.ts'
import { Refusal } from './trail.ts'

export type Made = Outbound | OwnAnswer | Refusal

/** `blamed`: what its vendor has refused this request for. A promise only where the body is made anew. */
export function prepare(
  call: Call,
  candidate: Candidate,
  plan: Plan,
  credential: Credential | null,
  blamed: readonly Blamed[],
  deps: FlowDeps,
): Made | Promise<Made> {
  const { label } = candidate.backend.source
  if (call.operation === 'count' && !countsItself(call, candidate, deps)) return estimated(call, candidate, plan, deps)
  const { turn } = deps
  const barred = turn === undefined ? null : turnBar(turn, candidate, speaksItself(call, candidate))
  if (barred !== null) return barred
  const made = (asked: Call, translated: Translated | null): Made => {
    const sent = outbound(asked, candidate, plan, credential, deps.hosts, translated)
    if (sent === null) return operationRefusal(call, label, plan.excluded)
    return turn === undefined ? sent : bySocket(sent, turn, candidate)
  }
  const translating = translation(call, candidate, plan, blamed.includes('thoughts'), deps)
  if (translating === null) {
    const less = deps.notKeepingTtl.has(candidate.backend.id) ? [...blamed, 'ttl' as const] : blamed
    return less.length > 0 ? withStripped(call, less, deps).then((next) => made(next, null)) : made(call, null)
  }
  return translating.then((found) =>
    found.kind === 'refused' ? untranslatable(found, label, plan) : made(call, found),
  )
}

const speaksItself = (call: Call, { backend: { source } }: Candidate): boolean =>
  dialectsOf(source).includes(call.dialect)

/** Whether this upstream has the client's own way of counting, as far as it is known. */
function countsItself(call: Call, candidate: Candidate, deps: FlowDeps): boolean {
  const place = countingPlace(call, candidate, deps)
  return place !== null && !deps.notCounting.has(place)
}

/** Where it would be asked, and for which model: one that it doesn't know says nothing of the others. */
function countingPlace(call: Call, candidate: Candidate, { hosts }: FlowDeps): string | null {
  if (!speaksItself(call, candidate)) return null
  const { source, upstreamModel } = candidate.backend
  const target = providerOf(source).target(source, call.dialect, 'count', '', hosts)
  return target === null ? null : `${target.origin}${target.path}\n${upstreamModel}`
}

/** A host that can't count, or not so often: its client must get a number all the same, and the account is not rested. */
export async function countedInstead(
  call: Call,
  candidate: Candidate,
  plan: Plan,
  status: number,
  because: string,
  deps: FlowDeps,
): Promise<OwnAnswer | null> {
  const isUnknown = status === 404 || status === 405 || status === 501
  // Counts have limits of their own, apart from those of answers (the vendor's pages on token counting).
  const isTooMany = because === 'burst'
  if (call.operation !== 'count' || !(isUnknown || isTooMany)) return null
  const place = countingPlace(call, candidate, deps)
  if (place !== null) deps.notCounting.note(place, isTooMany ? judgeRules.burstRestMs : undefined)
  const found = await estimated(call, candidate, plan, deps)
  return found instanceof Refusal ? null : found
}

/** An estimate, marked as one, never 404 and never 0 (bridge §5). */
async function estimated(call: Call, candidate: Candidate, plan: Plan, deps: FlowDeps): Promise<OwnAnswer | Refusal> {
  const tokens = call.plain === null ? null : (await deps.translator.work('estimate', call.plain, null)).tokens
  if (tokens === null) return operationRefusal(call, candidate.backend.source.label, plan.excluded)
  const object = call.dialect === 'responses' ? { object: 'response.input_tokens' } : {}
  const body = bytesOf(JSON.stringify({ ...object, input_tokens: tokens }))
  const headers = ['content-type', 'application/json', 'content-length', String(body.length)]
  const marked = [...headers, 'x-pointsman-estimate', 'true']
  return { kind: 'own-answer', candidate, because: 'tokens-estimated', headers: marked, body }
}

/** Who makes the opaque values of this upstream: account and model family, as a hash that tells nothing. */
export function issuerOf({ backend: { source, upstreamModel } }: Candidate, deps: Pick<FlowDeps, 'digest'>): string {
  return deps.digest.sha256(`issuer\n${source.id}\n${modelFamily(upstreamModel) ?? ''}`).slice(0, 16)
}

export const thoughtsOwner = (call: Call, issuer: string): string => `${call.key.id}\n${issuer}`

type Refused = Extract<TranslationOf<Uint8Array>, { kind: 'refused' }>

/** Null where the upstream is spoken to in the client's own dialect. */
function translation(
  call: Call,
  candidate: Candidate,
  plan: Plan,
  stripped: boolean,
  deps: FlowDeps,
): Promise<Translated | Refused> | null {
  const to = spokenDialect(candidate.backend.source, call)
  if (to === null || to === call.dialect || call.plain === null) return null
  const strict = isStrict(plan.match?.pool.id ?? null, deps.view().settings)
  return translate(call, call.plain, to, candidate, { stripped, strict, suffix: plan.suffix }, deps)
}

async function translate(
  call: Call,
  plain: Body,
  to: Dialect,
  candidate: Candidate,
  { stripped, strict, suffix }: { readonly stripped: boolean; readonly strict: boolean; readonly suffix: string },
  deps: FlowDeps,
): Promise<Translated | Refused> {
  const { backend } = candidate
  const issuer = issuerOf(candidate, deps)
  const provider = providerOf(backend.source)
  const found = await deps.translator.work('translate', plain, {
    from: call.dialect,
    to,
    model: backend.upstreamModel,
    requestedModel: call.model ?? backend.model,
    stream: call.stream || provider.streamOnly,
    strict,
    // Nothing in the history counts as its own when it has just refused it.
    issuer: stripped ? `not ${issuer}` : issuer,
    abilities: abilitiesOf(backend, to),
    session: call.session,
    suffix,
    kept: call.dialect === 'chat' && !stripped ? deps.thoughts.of(thoughtsOwner(call, issuer)) : {},
  })
  if (found.kind === 'refused') return found
  return {
    kind: 'translated',
    dialect: to,
    body: found.body,
    warnings: found.warnings,
    strict,
    lost: [],
    context: { ...found.context, issuer },
  }
}

function untranslatable({ code, path, why }: Refused, label: string, plan: Plan): Refusal {
  const field = path === '' ? 'the body' : path
  return new Refusal('not_translatable', { label, why, field }, { excluded: plan.excluded, param: { code, path } })
}

/** The body without what is blamed; as it is when it holds none. */
async function withStripped(call: Call, blamed: readonly Blamed[], { translator, giveWay }: FlowDeps): Promise<Call> {
  if (call.plain === null) return call
  const { body } = await translator.work('strip', call.plain, { dialect: call.dialect, blamed })
  if (body === null) return call
  const plain = { pieces: [body], length: body.length }
  const scan = await scanBody(plain.pieces, scannedFields, giveWay)
  if (scan.kind !== 'scan') return call
  const headers = new HeaderList(call.headers.raw.filter((_, at, raw) => !isEncoding(raw[at - (at % 2)])))
  return { ...call, body: plain, plain, encoding: null, scan, headers }
}

const isEncoding = (name: string | undefined): boolean => name?.toLowerCase() === 'content-encoding'

export function wholeText({ pieces }: Body): string {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  for (const piece of pieces) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
