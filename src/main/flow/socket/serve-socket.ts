/** Upgrades to WebSocket: each is checked like the request it stands for, then served until either side ends it. */

import { HeaderList } from '../../dialects/headers.ts'
import type { RequestHead } from '../../ports.ts'
import type { Dialer, Upgrade } from '../../socket-ports.ts'
import type { AdmittedHead } from '../10-ingress.ts'
import { admitHead } from '../10-ingress.ts'
import { deliverOwn } from '../70-relay.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { refuseHead } from '../head-guard.ts'
import { beforeKey, refusalAnswer } from '../refusal-answer.ts'
import { Refusal } from '../trail.ts'
import { ClientSocket } from './client-socket.ts'
import { conversationOf } from './conversation.ts'
import { HttpOnly } from './http-only.ts'
import { turnHead } from './turn-head.ts'
import { UpstreamLines } from './upstream-lines.ts'

/** Each may hold connections of its own to upstreams. */
const mostSockets = 256
/** An account whose WebSocket could not be opened is asked over HTTP for so long. */
const httpOnlyMs = 5 * 60_000
/** A client reopens at once, or it has given up. */
const reopenMs = 60_000

export class SocketDesk {
  readonly #deps: FlowDeps
  readonly #dialer: Dialer
  readonly #open = new Set<ClientSocket>()
  readonly #httpOnly: HttpOnly
  readonly #ratherHttp: HttpOnly
  #isEnding = false

  constructor(deps: FlowDeps, dialer: Dialer) {
    this.#deps = deps
    this.#dialer = dialer
    this.#httpOnly = new HttpOnly(deps.clock, httpOnlyMs)
    this.#ratherHttp = new HttpOnly(deps.clock, reopenMs)
  }

  /** Answers the upgrade: with a refusal as over HTTP, or with the open connection. */
  serve(upgrade: Upgrade): void {
    const { exchange } = upgrade
    const admitted = this.#admit(upgrade)
    if (admitted instanceof Refusal) {
      const authenticated = !beforeKey.has(admitted.problem.code)
      const caller = { authenticated, dialect: 'responses', stream: false, callId: '' } as const
      const { status, headers, body } = refusalAnswer(admitted, caller)
      deliverOwn(exchange, authenticated ? goOverHttp : status, headers, body)
      return
    }
    const deps = this.#deps
    const { settings } = deps.view()
    const limitBytes = settings.bodyLimitBytes
    upgrade.accept(limitBytes, (socket) => {
      const lines = new UpstreamLines({
        clock: deps.clock,
        dialer: this.#dialer,
        http: deps.upstream,
        httpOnly: this.#httpOnly,
        originOf: ({ id }) => deps.view().picture.origins.get(id) ?? '',
        limitBytes,
        compress: offersCompression(exchange.head),
      })
      const opened = new ClientSocket({
        head: exchange.head,
        admitted,
        socket,
        lines,
        deps,
        ratherHttp: this.#ratherHttp,
        limitBytes,
        room: upgrade,
        onClosed: (gone) => this.#open.delete(gone),
      })
      this.#open.add(opened)
      return opened
    })
  }

  /** After sleep, or on another network: what was open to upstreams is dead (F23, F24). */
  refresh(): void {
    for (const socket of this.#open) socket.refresh()
  }

  /** The program ends: no new connection, no further turn. */
  end(): void {
    this.#isEnding = true
    for (const socket of this.#open) socket.end()
  }

  /** Ends what still runs. */
  breakOff(): void {
    for (const socket of this.#open) socket.breakOff()
  }

  #admit({ exchange: { head }, hasBody }: Upgrade): AdmittedHead | Refusal {
    // As it came: what a turn's head leaves out counts here too.
    const bare = refuseHead(head, new HeaderList(head.rawHeaders))
    if (bare !== null) return bare
    const asked = turnHead(head)
    const found = admitHead(asked, this.#deps.view(), this.#deps.present)
    if (found instanceof Refusal) return isUnserved(found) ? new Refusal('websocket_not_served') : found
    const { value } = found
    if (value.kind !== 'admitted' || !isTurn(value)) return new Refusal('websocket_not_served')
    if (hasBody) return new Refusal('bad_request', { why: 'an upgrade has no body' })
    if (this.#isEnding || this.#open.size >= mostSockets) return new Refusal('local_busy')
    return this.#belongsToHttp(asked, value) ? new Refusal('websocket_not_served') : value
  }

  /** The last answer came over HTTP, on which nothing can be built: there the client's own HTTP is the better way. */
  #belongsToHttp(asked: RequestHead, admitted: AdmittedHead): boolean {
    const conversation = conversationOf(asked, admitted)
    return conversation !== null && this.#ratherHttp.take(conversation)
  }
}

/**
 * Any other answer to a client that is known costs the Codex CLI seven tries and half a minute. After a 426 it asks
 * over HTTP at once, where the same refusal reaches the person in our sentence (codex §2.5).
 */
const goOverHttp = 426

/** On the way to a vendor this saves what no loopback does: the Codex CLI offers it (observed-clients, "ChatGPT sign-in"). */
const offersCompression = ({ rawHeaders }: RequestHead): boolean =>
  /\bpermessage-deflate\b/.test(new HeaderList(rawHeaders).get('sec-websocket-extensions') ?? '')

const isUnserved = ({ problem: { code } }: Refusal): boolean => code === 'not_served'

const isTurn = ({ route: { dialect, operation } }: AdmittedHead): boolean =>
  dialect === 'responses' && operation === 'generate'
