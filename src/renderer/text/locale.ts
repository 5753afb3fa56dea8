/** What `Intl` and React Aria call the window's languages. */
import type { Language } from '../state/choices.ts'

export const localeOf: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' }
