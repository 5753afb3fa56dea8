/** Amounts of money as a person types them, in US dollars; pure. */

/** Of a dollar. */
const nano = 1_000_000_000
/** Up to a million USD (`budgets.create`). */
const most = 1_000_000 * nano

/** Integer nano-USD; a comma stands for a point. Null: no amount, or more than a budget may have. */
export function readDollars(text: string): number | null {
  const typed = text.trim().replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(typed)) return null
  const amount = Math.round(Number(typed) * nano)
  return amount <= most ? amount : null
}

/** For a field: `0.5`, `12`. */
export const dollarText = (amount: number): string => plain(amount / nano, 9)

/** A rate is shown and typed in USD per million tokens and kept in nano-USD per token. */
const perToken = 1_000
const mostRate = 10_000_000

export function readRate(text: string): number | null {
  const typed = text.trim().replace(',', '.')
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(typed)) return null
  const rate = Math.round(Number(typed) * perToken * 1_000) / 1_000
  return rate <= mostRate ? rate : null
}

export const rateText = (rate: number): string => plain(rate / perToken, 6)

/** Never with an exponent, without zeros that say nothing. */
const plain = (value: number, digits: number): string => value.toFixed(digits).replace(/\.?0+$/, '')
