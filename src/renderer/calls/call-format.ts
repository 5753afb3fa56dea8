/** Moments, lengths of time and money of the log, in the language of the window. */
import { useMemo } from 'react'
import { useLanguage } from '../state/choices.ts'
import { localeOf } from '../text/locale.ts'
import { type CallFormat, callFormat } from './call-formatting.ts'

export type { CallFormat }

export function useCallFormat(): CallFormat {
  const language = useLanguage()
  return useMemo(() => callFormat(localeOf[language]), [language])
}
