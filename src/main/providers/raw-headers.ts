/** Reading a flat name-value header list as Node hands it out. */

/** Header lookup by lower-case name; the first value wins, null when absent. */
export type Headers = (name: string) => string | null

export function headerLookup(rawHeaders: readonly string[]): Headers {
  return (name) => {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const found = rawHeaders[at]
      if (found !== undefined && found.length === name.length && found.toLowerCase() === name) {
        return rawHeaders[at + 1] ?? null
      }
    }
    return null
  }
}

/** A plain decimal number, as vendors write them in headers; null for anything else, also for an empty value. */
export function readNumber(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\d{1,15}(\.\d{1,20})?(e[+-]?\d{1,2})?$/i.test(text.trim())) return null
  return Number(text)
}

const yearMs = 366 * 24 * 3_600_000

/** A time in the future and within a year, else null: a reset that lies is no reset (codex §4.5). */
export function soon(atMs: number | null, nowMs: number): number | null {
  return atMs !== null && atMs > nowMs && atMs <= nowMs + yearMs ? atMs : null
}

/** Not more than a year ahead; the past is allowed, since a reading may be of a window that has just ended. */
export function believable(atMs: number | null, nowMs: number): number | null {
  return atMs !== null && atMs > 0 && atMs <= nowMs + yearMs ? atMs : null
}
