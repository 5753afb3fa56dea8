/** A request of one dialect for a backend of another, as the translator is told of it. */
import { fullAbilities } from '../src/main/translate/abilities.ts'

export const taskOf = (from, to) => ({
  from,
  to,
  model: 'u',
  requestedModel: 'm',
  suffix: '',
  stream: true,
  strict: false,
  issuer: 'i',
  abilities: fullAbilities,
  session: null,
  kept: {},
})
