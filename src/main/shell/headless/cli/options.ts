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
