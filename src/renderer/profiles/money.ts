/** Nano-USD as a person reads it. */
import { useLanguage } from '../state/choices.ts'
import { localeOf } from '../text/locale.ts'

/** Cents, and more of a dollar's parts where there is less than one cent. */
export function useMoney(): (nanoUsd: number) => string {
  const locale = localeOf[useLanguage()]
  return (nanoUsd) => {
    const isSmall = nanoUsd !== 0 && Math.abs(nanoUsd) < 10_000_000
    const maximumFractionDigits = isSmall ? 6 : 2
    const style = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
    const format = new Intl.NumberFormat(locale, { ...style, maximumFractionDigits })
    return format.format(nanoUsd / 1_000_000_000)
  }
}
