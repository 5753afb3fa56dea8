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
