/**
 * How far this machine's clock is from the vendors', by the `Date` of their last answer to a request of Pointsman's own
 * (F60): nothing is asked for it.
 */
import type { Clock, Web, WebAnswer } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import { claudeOAuth, codexOAuth } from './oauth-endpoints.ts'
import { isAnswer } from './own-request.ts'

export interface ClockSkew {
  /** Of this machine's clock; negative when it is behind. Off by up to a second and the time of the answer. */
  readonly aheadMs: number
  readonly seenAtMs: number
}

/** A `Date` tells whole seconds: on average it is half a second old. */
const halfSecondMs = 500

/** What two answers may differ by although nobody has touched the clock. */
const newsMs = 30_000

/** Null without a readable `Date`. */
export function skewOf({ headers }: WebAnswer, nowMs: number): ClockSkew | null {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'date')
  const dateMs = at < 0 ? Number.NaN : Date.parse(headers[at + 1] ?? '')
  return Number.isNaN(dateMs) ? null : { aheadMs: nowMs - dateMs - halfSecondMs, seenAtMs: nowMs }
}

export interface WatchedWeb {
  readonly web: Web
  /** As last seen; null before the first answer of a vendor. */
  clockSkew(): ClockSkew | null
}

/** `onTold` hears what time it is there, and whether the difference is another one than before. Hosts of this machine or of other programs say nothing about the vendors' time. */
export function watchVendorClock(
  inner: Web,
  clock: Clock,
  hosts: HostOverrides,
  onTold: (vendorMs: number, isNews: boolean) => void,
): WatchedWeb {
  const own = [...Object.values(claudeOAuth), ...Object.values(codexOAuth), ...Object.values(hosts)]
  const origins = new Set(own.flatMap((text) => (typeof text === 'string' ? [originOf(text)] : [])))
  let last: ClockSkew | null = null
  return {
    clockSkew: () => last,
    web: {
      fetch: async (request) => {
        const result = await inner.fetch(request)
        const seen = isAnswer(result) && origins.has(originOf(request.url)) ? skewOf(result, clock.nowMs()) : null
        if (seen !== null) {
          const isNews = Math.abs(seen.aheadMs - (last?.aheadMs ?? 0)) > newsMs
          last = seen
          onTold(seen.seenAtMs - seen.aheadMs, isNews)
        }
        return result
      },
    },
  }
}

/** Scheme and authority. */
const originOf = (url: string): string => /^[a-z]+:\/\/[^/]+/i.exec(url)?.[0].toLowerCase() ?? ''
