/** Numbers, times and lengths of time in the language of the window. */
import { type Language, useLanguage } from '../state/choices.ts'
import { type Format, format } from './formatting.ts'
import { useTexts } from './texts.ts'

export type { Format }

/** One for the whole window: making one takes longer than a line that uses it. */
const made = new Map<Language, Format>()

export function useFormat(): Format {
  const language = useLanguage()
  const { ui } = useTexts()
  const known = made.get(language)
  if (known !== undefined) return known
  const fresh = format(language, ui)
  made.set(language, fresh)
  return fresh
}
