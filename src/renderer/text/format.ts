/** Numbers, times and lengths of time in the language of the window. */
import { useMemo } from 'react'
import { useLanguage } from '../state/choices.ts'
import { type Format, format } from './formatting.ts'
import { useTexts } from './texts.ts'

export type { Format }

export function useFormat(): Format {
  const language = useLanguage()
  const { ui } = useTexts()
  return useMemo(() => format(language, ui), [language, ui])
}
