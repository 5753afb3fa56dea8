/** Keys in the OS keychain, each question asked by a helper process that is killed when the keychain hangs. */
import type { Clock } from '../../ports.ts'
import type { HelperProcess, StartHelper } from './helper-process.ts'
import { type KeyDone, type KeyFound, type KeyStore, keyBytes, type StoreRefusal } from './key-store.ts'
import type { KeychainAnswer, KeychainCall, KeychainQuestion } from './keychain-question.ts'
import { Secret } from './secret.ts'

export interface KeychainOptions {
  readonly startHelper: StartHelper
  readonly clock: Pick<Clock, 'after'>
  /** A prompt may be open: an answer is good until then. */
  readonly limitMs: number
}

const accountOf = (keyId: string): string => `vault-key:${keyId}`

export function keychain(options: KeychainOptions): KeyStore {
  const ask = (question: KeychainQuestion) => askOnce(question, options)
  const act = async (question: KeychainQuestion): Promise<KeyDone> => {
    const answer = await ask(question)
    return answer.kind === 'failed' || answer.kind === 'hung' ? refusal(answer) : { kind: 'done' }
  }
  return {
    kind: 'keychain',
    async find(keyId): Promise<KeyFound> {
      const answer = await ask({ act: 'find', account: accountOf(keyId) })
      if (answer.kind === 'failed' || answer.kind === 'hung') return refusal(answer)
      if (answer.kind !== 'value') return { kind: 'absent' }
      const bytes = Buffer.from(answer.value, 'base64url')
      // Whatever else lies there is no key of ours.
      return bytes.length === keyBytes ? { kind: 'found', key: new Secret(bytes) } : { kind: 'absent' }
    },
    keep: (keyId, key) => act({ act: 'keep', account: accountOf(keyId), value: key.bytes().toString('base64url') }),
    forget: (keyId) => act({ act: 'forget', account: accountOf(keyId) }),
  }
}

type Failed = Extract<KeychainAnswer, { kind: 'failed' }>
interface Hung {
  readonly kind: 'hung'
  readonly limitMs: number
}

/** One helper process, one question, one bound on its time. */
export async function askOnce(question: KeychainQuestion, options: KeychainOptions): Promise<KeychainAnswer | Hung> {
  const limit = Promise.withResolvers<Hung>()
  const cancel = options.clock.after(options.limitMs, () => limit.resolve({ kind: 'hung', limitMs: options.limitMs }))
  let helper: HelperProcess | null = null
  try {
    helper = options.startHelper()
    return await Promise.race([limit.promise, helper.ask(JSON.stringify(question)).then(parseAnswer)])
  } catch {
    return { kind: 'failed', call: 'load', text: 'its helper process ended without an answer' }
  } finally {
    cancel()
    helper?.kill()
  }
}

const parseAnswer = (line: string): KeychainAnswer => JSON.parse(line) as KeychainAnswer

/** By which call failed; the text only tells a keychain that is locked from one that was never made. */
export function refusal(answer: Failed | Hung): StoreRefusal {
  if (answer.kind === 'hung') return { kind: 'hung', because: `it gave no answer within ${answer.limitMs / 1000} s` }
  const { call, text } = answer
  if (isNeverMade(text))
    return { kind: 'unavailable', because: 'there is no keyring yet; make one, or log in to the desktop' }
  return { kind: lockedBy[call] ? 'locked' : 'unavailable', because: `${sentences[call]} (${text})` }
}

/** libsecret names the D-Bus path of the missing collection, in every language. */
const isNeverMade = (text: string): boolean => text.includes('/org/freedesktop/secrets/collection/')

const lockedBy: Readonly<Record<KeychainCall, boolean>> = {
  load: false,
  get: false,
  'read-login': true,
  'keep-login': true,
  set: true,
  probe: true,
  delete: true,
}

const sentences: Readonly<Record<KeychainCall, string>> = {
  load: 'no keychain was found: its library could not be loaded',
  get: 'no keychain was found',
  'read-login': 'the keychain does not give the item out',
  'keep-login': 'the keychain does not take the item',
  set: 'the keychain takes no item',
  probe: 'the keychain takes no item',
  delete: 'the keychain gives up no item',
}
