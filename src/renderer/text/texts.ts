/** The texts in the language of the window. */
import { type Language, useLanguage } from '../state/choices.ts'
import { en, type Texts } from './en.ts'
import { zh } from './zh.ts'

const tables: Readonly<Record<Language, Texts>> = { en, zh }

export const useTexts = (): Texts => tables[useLanguage()]
