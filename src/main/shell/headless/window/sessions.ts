/** Who may open the window: one-time links, and the sessions they turn into. Only digests are kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A browser that has come in by a link. */
export interface Session {
  readonly cookieDigest: string
  /** Of the token that only our own page holds: cookies ignore ports, so the cookie alone is never enough (T1.5). */
  readonly tokenDigest: string
  readonly createdAtMs: number
}

export interface SessionShelf {
  load(): readonly Session[]
  /** Kept across restarts, so that an open window finds its way back. */
  save(sessions: readonly Session[]): void
}

export const linkLifeMs = 60_000
const sessionLifeMs = 30 * 24 * 3_600_000
const mostSessions = 16
const mostLinks = 8

const secret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export class Sessions {
  readonly #shelf: SessionShelf
  readonly #nowMs: () => number
  #links: readonly { readonly digest: string; readonly untilMs: number }[] = []
  #sessions: readonly Session[]
  /** Tokens that wait for the first page after their link. */
  readonly #unseen = new Map<string, string>()

  constructor(shelf: SessionShelf, nowMs: () => number) {
    this.#shelf = shelf
    this.#nowMs = nowMs
    this.#sessions = shelf.load()
  }

  /** Good for one visit within a minute (T1.6). */
  newLink(): string {
    const text = secret()
    const live = this.#links.filter(({ untilMs }) => untilMs > this.#nowMs())
    this.#links = [...live.slice(1 - mostLinks), { digest: digest(text), untilMs: this.#nowMs() + linkLifeMs }]
    return text
  }

  /** Turns a link into a session and returns its cookie, or null. */
  enter(link: string): string | null {
    const given = digest(link)
    const found = this.#links.find((candidate) => equal(candidate.digest, given))
    this.#links = this.#links.filter((candidate) => candidate !== found)
    if (found === undefined || found.untilMs <= this.#nowMs()) return null
    const cookie = secret()
    const token = secret()
    const session = { cookieDigest: digest(cookie), tokenDigest: digest(token), createdAtMs: this.#nowMs() }
    this.#sessions = [...this.#live().slice(1 - mostSessions), session]
    this.#shelf.save(this.#sessions)
    this.#unseen.set(session.cookieDigest, token)
    return cookie
  }

  find(cookie: string): Session | null {
    const given = digest(cookie)
    return this.#live().find(({ cookieDigest }) => equal(cookieDigest, given)) ?? null
  }

  /** The token, once: the page keeps it where other ports can't read it. */
  takeToken({ cookieDigest }: Session): string | null {
    const token = this.#unseen.get(cookieDigest) ?? null
    this.#unseen.delete(cookieDigest)
    return token
  }

  holds(session: Session, token: string): boolean {
    return equal(session.tokenDigest, digest(token))
  }

  #live(): readonly Session[] {
    return this.#sessions.filter(({ createdAtMs }) => createdAtMs + sessionLifeMs > this.#nowMs())
  }
}
