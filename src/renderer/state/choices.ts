/** What the person chose for this window alone: theme and language, kept in the browser. */
import { create } from 'zustand'

export type Theme = 'system' | 'light' | 'dark'
export type Language = 'en' | 'zh'

export interface Choices {
  readonly theme: Theme
  /** `system` follows the browser. */
  readonly language: 'system' | Language
}

const key = 'pointsman.choices'
const themes: readonly string[] = ['system', 'light', 'dark']
const languages: readonly string[] = ['system', 'en', 'zh']

function load(): Choices {
  const stored = parse(localStorage.getItem(key))
  return {
    theme: themes.includes(stored.theme ?? '') ? (stored.theme as Theme) : 'system',
    language: languages.includes(stored.language ?? '') ? (stored.language as Choices['language']) : 'system',
  }
}

function parse(text: string | null): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {}
  } catch {
    return {}
  }
}

export const useChoices = create<Choices>()(load)

export function choose(change: Partial<Choices>): void {
  useChoices.setState(change)
  localStorage.setItem(key, JSON.stringify(useChoices.getState()))
}

const spoken = (): Language => (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en')

export const useLanguage = (): Language => useChoices(({ language }) => (language === 'system' ? spoken() : language))
