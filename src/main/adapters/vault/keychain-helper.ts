/**
 * A process of its own that asks the OS keychain one question and ends. The keychain may hang: then its calls hold a
 * thread that even `process.exit` waits for, so the asker kills this process (stack-notes §7).
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { type KeychainAnswer, type KeychainCall, type KeychainQuestion, keychainService } from './keychain-question.ts'

interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

type LoginQuestion = Extract<KeychainQuestion, { service: string }>
type KeyQuestion = Exclude<KeychainQuestion, LoginQuestion>

/** What Electron's utility processes have in place of stdin. */
interface ParentPort {
  once(event: 'message', listener: (message: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

/** Longer than any asker waits: nothing is left behind when the asker itself was killed. */
const ownLimitMs = 20_000

class CallFailed extends Error {
  readonly call: KeychainCall

  constructor(call: KeychainCall, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'no reason given')
    this.call = call
  }
}

async function tried<Value>(call: KeychainCall, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    throw new CallFailed(call, error)
  }
}

async function answer(question: KeychainQuestion): Promise<KeychainAnswer> {
  try {
    return await ask(question)
  } catch (error) {
    if (error instanceof CallFailed) return { kind: 'failed', call: error.call, text: error.message.slice(0, 300) }
    return { kind: 'failed', call: 'load', text: 'unknown' }
  }
}

async function ask(question: KeychainQuestion): Promise<KeychainAnswer> {
  return question.act === 'read-login' || question.act === 'keep-login' ? askForLogin(question) : askForKey(question)
}

/**
 * The Codex CLI's keychain library marks its items in its own way, which keytar can't look for; this one is the same
 * library. Held to the keychain itself, since it would else fall back to the kernel's keyring.
 */
async function askForLogin(question: LoginQuestion): Promise<KeychainAnswer> {
  const { AsyncEntry } = await tried('load', () => import('@napi-rs/keyring'))
  const entry = await tried(
    question.act,
    async () => new AsyncEntry(question.service, question.account, { linux: { store: 'secret-service' } }),
  )
  if (question.act === 'keep-login') {
    await tried(question.act, () => entry.setPassword(question.value))
    return { kind: 'done' }
  }
  const value = await tried(question.act, () => entry.getPassword())
  return value === null ? { kind: 'absent' } : { kind: 'value', value }
}

async function askForKey(question: KeyQuestion): Promise<KeychainAnswer> {
  const keytar = await tried('load', async () => {
    const loaded = (await import('keytar')) as unknown as { readonly default?: Keytar } & Keytar
    return loaded.default ?? loaded
  })
  const get = () => tried('get', () => keytar.getPassword(keychainService, question.account))
  const before = await get()
  switch (question.act) {
    case 'keep':
      await tried('set', () => keytar.setPassword(keychainService, question.account, question.value))
      return { kind: 'done' }
    case 'forget':
      await tried('delete', () => keytar.deletePassword(keychainService, question.account))
      return { kind: 'done' }
    case 'find': {
      if (before !== null) return { kind: 'value', value: before }
      // A locked keychain also says "none". Only one that takes an item is open; and the prompt that this may bring
      // up may have unlocked it, so the answer is asked for again.
      await tried('probe', () => probe(keytar))
      const after = await get()
      return after === null ? { kind: 'absent' } : { kind: 'value', value: after }
    }
  }
}

async function probe(keytar: Keytar): Promise<void> {
  const account = `vault-probe:${randomBytes(6).toString('hex')}`
  await keytar.setPassword(keychainService, account, account)
  const back = await keytar.getPassword(keychainService, account)
  await keytar.deletePassword(keychainService, account)
  if (back !== account) throw new Error('an item just stored was not given back')
}

function main(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ownLimitMs).unref()
  const { parentPort } = process as unknown as { readonly parentPort?: ParentPort }
  if (parentPort !== undefined) {
    parentPort.once('message', async ({ data }) => {
      parentPort.postMessage(JSON.stringify(await answer(JSON.parse(String(data)) as KeychainQuestion)))
    })
    return
  }
  const input = createInterface({ input: process.stdin })
  input.once('line', async (line) => {
    const text = JSON.stringify(await answer(JSON.parse(line) as KeychainQuestion))
    process.stdout.write(`${text}\n`, () => process.exit(0))
  })
  // The asker holds our stdin open for as long as it lives.
  input.once('close', () => process.kill(process.pid, 'SIGKILL'))
}

main()
