/** Sign-ins over hand-made ports: a listener that is called back by hand, and a vendor's program that is scripted. */
import { createHash } from 'node:crypto'
import type { SignInStep, SignInView } from '../../src/main/accounts/sign-in.ts'
import { type SignInDeps, SignIns } from '../../src/main/accounts/sign-in-desk.ts'
import type { Chance } from '../../src/main/ports.ts'
import type { CallbackHooks, CallbackHost, VendorFound, VendorProgram } from '../../src/main/sign-in-ports.ts'
import type { Problem } from '../../src/shared/errors.ts'
import { desk } from './desk-kit.ts'
import { codexClaims, digest, json, jwt, noHosts, settle } from './kit.ts'

/** Other bytes at each call, the same in each test. */
export function countingChance(): Chance {
  let count = 0
  return {
    unit: () => 0.5,
    bytes(length) {
      count += 1
      return new Uint8Array(createHash('sha512').update(String(count)).digest().subarray(0, length))
    },
  }
}

export class HandCallbacks implements CallbackHost {
  isTaken = false
  hooks: CallbackHooks | null = null
  open = 0
  async listen(ports: readonly number[], hooks: CallbackHooks) {
    if (this.isTaken) return null
    this.hooks = hooks
    this.open += 1
    return {
      port: ports[0] ?? 0,
      close: async () => {
        if (this.hooks === hooks) {
          this.hooks = null
          this.open -= 1
        }
      },
    }
  }
}

export class HandProgram implements VendorProgram {
  found: VendorFound = { kind: 'found', path: '/usr/bin/claude', version: '2.1.225 (Claude Code)' }
  readonly folders = new Set<string>()
  readonly typed: string[] = []
  started: readonly string[] | null = null
  isEnded = false
  say: (text: string) => void = () => {}
  readonly #exits: ((code: number) => void)[] = []
  exit(code: number): void {
    for (const listener of this.#exits.splice(0)) listener(code)
  }
  async find() {
    return this.found
  }
  async start(path: string, args: readonly string[], folder: string) {
    this.started = [path, ...args, folder]
    return {
      onText: (listener: (text: string) => void) => {
        this.say = listener
      },
      onExit: (listener: (code: number) => void) => {
        this.#exits.push(listener)
      },
      write: (text: string) => void this.typed.push(text),
      end: () => {
        this.isEnded = true
        this.exit(129)
      },
    }
  }
  left: string | null = null
  async readLogin() {
    return this.left
  }
  async makeFolder(name: string) {
    this.folders.add(name)
    return name
  }
  async removeFolder(folder: string) {
    this.folders.delete(folder)
  }
}

export const tokensFor = (userId: string, accountId: string) => ({
  id_token: jwt(codexClaims(userId, accountId)),
  access_token: jwt({ ...codexClaims(userId, accountId), exp: 4_000_000_000 }),
  refresh_token: `rt-${userId}-${accountId}`,
  token_type: 'Bearer',
  expires_in: 864_000,
})

/** A token endpoint that checks PKCE as the vendor's does: `codes` maps a code to the challenge it was given out for. */
export function signInBench(tokens: object = tokensFor('user-1', 'space-1')) {
  const made = desk()
  const codes = new Map<string, string>()
  const callbacks = new HandCallbacks()
  const program = new HandProgram()
  const opened: string[] = []
  let changes = 0
  made.web.otherwise(({ url, body }) => {
    if (!url.endsWith('/oauth/token')) return { kind: 'unreachable', why: 'offline' }
    const fields = new URLSearchParams(body ?? '')
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood = codes.get(fields.get('code') ?? '') === challenge
    return isGood ? json(200, tokens) : json(400, { error: 'invalid_grant' })
  })
  const deps: SignInDeps = {
    web: made.web,
    clock: made.clock,
    log: made.log,
    sources: made.sources,
    hosts: noHosts,
    digest,
    chance: countingChance(),
    callbacks,
    program,
    openPage: (url) => void opened.push(url),
    add: (login) => made.desk.add(login),
    remove: (id) => made.desk.remove(id),
    renewed: () => {},
    changed: () => {
      changes += 1
    },
  }
  const signIns = new SignIns(deps)
  const step = (id: string): SignInStep => viewOf(signIns.get(id)).step
  return {
    ...made,
    signIns,
    callbacks,
    program,
    codes,
    opened,
    step,
    changes: () => changes,
    /** Starts one and lets it come to where it waits for the person. */
    async start(input: Parameters<SignIns['start']>[0]): Promise<string> {
      const { id } = viewOf(signIns.start(input))
      await settle()
      return id
    },
    /** What the vendor's page would send back for the page that was opened. */
    approve(id: string, code: string): string {
      const page = step(id)
      if (page.kind !== 'browser') throw new Error(`it shows ${page.kind}`)
      const { searchParams } = new URL(page.url)
      codes.set(code, searchParams.get('code_challenge') ?? '')
      return `code=${code}&state=${searchParams.get('state')}`
    },
  }
}

export function viewOf(found: SignInView | Problem): SignInView {
  if ('code' in found) throw new Error(found.sentence)
  return found
}
