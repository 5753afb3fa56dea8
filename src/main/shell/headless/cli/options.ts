/** Readers for options that are more than text; what they refuse is a usage error. */
import { InvalidArgumentError } from 'commander'

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function port(text: string): number {
  const number = wholeNumber(text)
  if (number > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.')
  return number
}

/** An empty one would be the folder that the command happens to stand in. */
export function folder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return text
}

export function percent(text: string): number {
  const number = Number(text)
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || number > 100)
    throw new InvalidArgumentError('It must be a percentage, 0 to 100.')
  return number
}

/** `12h`, `7d`, `2w`. */
export function span(text: string): string {
  if (!/^\d{1,4}[hdw]$/.test(text)) throw new InvalidArgumentError('It must be like 12h, 7d or 2w.')
  return text
}

export type StrategyOptions = Readonly<Record<string, number>>

/** `fiveHourSoftLimit=70`; may be given several times. */
export function optionPair(text: string, before: StrategyOptions | undefined): StrategyOptions {
  const [name = '', value = ''] = text.split('=')
  if (name === '') throw new InvalidArgumentError('It must be like fiveHourSoftLimit=70.')
  return { ...before, [name]: percent(value) }
}

export type Factors = Readonly<Record<string, number>>

/** `flex=0.5`; may be given several times. */
export function factor(text: string, before: Factors | undefined): Factors {
  const [, name = '', value = ''] = /^([^=\s]{1,50})=(\d{1,4}(?:\.\d{1,6})?)$/.exec(text) ?? []
  if (name === '' || Number(value) > 1_000) throw new InvalidArgumentError('It must be like flex=0.5.')
  return { ...before, [name]: Number(value) }
}

const momentShape = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?$/

/** `2027-01-31` or `2027-01-31 18:00`, in local time; as ms. */
export function moment(text: string): number {
  const [, ...parts] = momentShape.exec(text.trim()) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map((part) => Number(part ?? 0))
  const at = new Date(year, month - 1, day, hour, minute)
  const isSuch = at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60
  if (parts.length === 0 || !isSuch) throw new InvalidArgumentError('It must be a day like 2027-01-31, or with a time.')
  return at.getTime()
}

/** A limit that is taken away; Commander makes an empty text of a null. */
export type Limit<Value> = Value | false

/** A word that takes a limit away, or what `read` makes of the text. */
export const unless =
  <Value>(word: string, read: (text: string) => Value) =>
  (text: string): Limit<Value> =>
    text === word ? false : read(text)

/** Collects what is given several times; the word takes the limit away. */
export const severalUnless =
  (word: string) =>
  (text: string, before: Limit<readonly string[]> | undefined): Limit<readonly string[]> =>
    text === word ? false : [...(before === false ? [] : (before ?? [])), text]

/** As the contract takes it: null for none, undefined for as it is. */
export const limitOf = <Value>(limit: Limit<Value> | undefined): Value | null | undefined =>
  limit === false ? null : limit

/** US dollars as integer nano-USD, up to nine digits after the point. */
export function dollars(text: string): number {
  const amount = Math.round(Number(text) * 1e9)
  if (!/^\d+(\.\d{1,9})?$/.test(text) || !Number.isSafeInteger(amount))
    throw new InvalidArgumentError('It must be an amount in US dollars.')
  return amount
}

/** The same, and below zero too. */
export const signedDollars = (text: string): number => (text.startsWith('-') ? -dollars(text.slice(1)) : dollars(text))

/** USD per million tokens as nano-USD per token. */
export function rate(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be USD per million tokens.')
  return Math.round(Number(text) * 1e6) / 1e3
}
