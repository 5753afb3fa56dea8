/** Moments, lengths of time and money of the log, in the language of the window. */
import { type Language, useLanguage } from '../state/choices.ts'
import { localeOf } from '../text/locale.ts'
import { type CallFormat, callFormat } from './call-formatting.ts'

export type { CallFormat }

/** One for all the rows: making one takes longer than a row. */
const made = new Map<Language, CallFormat>()

export function useCallFormat(): CallFormat {
  const language = useLanguage()
  const known = made.get(language)
  if (known !== undefined) return known
  const format = callFormat(localeOf[language])
  made.set(language, format)
  return format
}
