/** The texts in the language of the window. */
import { type Language, useLanguage } from '../state/choices.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

export type Texts = typeof en

const tables: Readonly<Record<Language, Texts>> = { en, zh }

export const useTexts = (): Texts => tables[useLanguage()]
