/** Moments, lengths of time and money as the log shows them: short, with their unit, of the same width; pure. */

export interface CallFormat {
  /** `16:02:41` today, `28 Nov 16:02` before. */
  moment(atMs: number, todayMs: number): string
  /** `310 ms`, `1.9 s`, `3 min 5 s`. */
  took(ms: number): string
  /** Of nano-USD: `$0.31`, `$0.0042`, `< $0.0001`. */
  money(nanoUsd: number): string
  /** `48,210`, `1.2m`. */
  count(value: number): string
  /** `94 %`, of a share of 1. */
  percent(share: number): string
}

export function callFormat(locale: string): CallFormat {
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const whole = new Intl.NumberFormat(locale)
  const large = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const money = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    })
  const cents = money(2)
  const small = money(4)
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return {
    moment: (atMs, todayMs) => (atMs >= todayMs ? clock.format(atMs) : day.format(atMs).replace(',', '')),
    took(ms) {
      if (ms < 999.5) return `${whole.format(Math.round(ms))} ms`
      if (ms < 99_950) return `${decimal.format(ms / 1_000)} s`
      const seconds = Math.round(ms / 1_000)
      return `${whole.format(Math.floor(seconds / 60))} min ${seconds % 60} s`
    },
    money(nanoUsd) {
      // Something is never shown as nothing.
      if (nanoUsd > 0 && nanoUsd < 100_000) return `< ${small.format(0.0001)}`
      return (nanoUsd > 0 && nanoUsd < 10_000_000 ? small : cents).format(nanoUsd / 1_000_000_000)
    },
    count: (value) => (value < 1_000_000 ? whole.format(value) : large.format(value)),
    // Never rounded up to all of them.
    percent: (share) => `${whole.format(Math.floor(share * 100))} %`,
  }
}
