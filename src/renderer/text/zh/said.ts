/** The program's own sentences in Chinese, by the templates under `phrases/` and the catalogue of errors. */
import { catalogue, type ErrorCode } from '../../../shared/errors.ts'
import type { Problem } from '../../bridge/problem.ts'
import { type Phrases, type Say, sayBy } from '../phrases.ts'
import { type Said, saidBy } from '../said.ts'
import { errorWords } from './error-words.ts'
import { errors } from './errors.ts'
import { accounts, entries, keyStates, things } from './phrases/accounts.ts'
import { codes, dialects, operations } from './phrases/codes.ts'
import { fields, issues, kinds } from './phrases/inputs.ts'
import { machine, stores, vaultKinds } from './phrases/machine.ts'
import {
  afters,
  attempts,
  choices,
  ends,
  limits,
  rooms,
  routing,
  scopes,
  standings,
  steps,
  unbound,
  unnamed,
  verbs,
  windowNames,
} from './phrases/routing.ts'
import { lossActions, losses, names, rehearsal, translation } from './phrases/translation.ts'
import { ui } from './ui.ts'

const errorCodes = Object.keys(catalogue) as readonly ErrorCode[]

/** A sentence that is nothing but what it is given tells nothing of where it is from. */
const isTelling = (template: string): boolean => /[A-Za-z]{2}/.test(template.replace(/\{\w+\}/g, ''))

/** Without its code an error is told from others that begin like it by what its holes can take. */
const narrowed = (english: string, chinese: string): string =>
  english.replace(
    /\{(\w+)\}/g,
    (hole, name: string) => new RegExp(`\\{${name}:(?:unbound|keyStates)\\}`).exec(chinese)?.[0] ?? hole,
  )

const errorPhrases: Phrases = Object.fromEntries(
  errorCodes.flatMap((code) =>
    (['sentence', 'next'] as const)
      .filter((part) => isTelling(catalogue[code][part]))
      .map((part) => [narrowed(catalogue[code][part], errors[code][part]), errors[code][part]]),
  ),
)

const ofCodes = (part: 'sentence' | 'next') =>
  Object.fromEntries(
    errorCodes.map((code) => [`${code}.${part}`, { [catalogue[code][part]]: errors[code][part] } as Phrases]),
  )

const tables = {
  any: { ...errorPhrases, ...translation, ...rehearsal, ...machine, ...accounts, ...routing },
  ...{ issues, kinds, fields },
  ...{ verbs, choices, afters, steps, attempts, standings, limits, scopes, ends, windowNames, rooms },
  ...{
    losses,
    lossActions,
    names,
    things,
    keyStates,
    unbound,
    unnamed,
    entries,
    vaultKinds,
    stores,
    codes,
    dialects,
    operations,
  },
  ...ofCodes('sentence'),
  ...ofCodes('next'),
}

/** Made at the first sentence: a window in English needs none of it. */
let made: Say | null = null
const say: Say = (text, table) => {
  made ??= sayBy(tables)
  return made(text, table)
}

const remembered = new Map<string, string | null>()
const mostRemembered = 2_000
/** What is longer is no sentence of ours, and would take long to compare. */
const longest = 4_000

/** Lists say the same few sentences again and again. */
function sentence(text: string): string | null {
  if (text.length > longest) return null
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= mostRemembered) remembered.clear()
  const found = say(text)
  remembered.set(text, found)
  return found
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

function ofError({ code, sentence: text, next }: Problem): { readonly sentence: string; readonly next: string } | null {
  if (!isErrorCode(code)) return null
  return { sentence: say(text, `${code}.sentence`) ?? text, next: say(next, `${code}.next`) ?? next }
}

const code = (given: string): string | null => errorWords[given as ErrorCode] ?? say(given, 'codes')

export const said: Said = saidBy(ui.unreachable, '', { sentence, ofError, code })
