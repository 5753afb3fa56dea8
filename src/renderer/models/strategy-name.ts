/** A strategy's name in the language of the window; its id where none is known. */
import type { Texts } from '../text/en.ts'

export const strategyName = (id: string, { models }: Texts): string => models.strategies[id] ?? id
