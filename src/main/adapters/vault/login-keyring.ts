/** The Codex CLI's own keychain item, found by its `CODEX_HOME` (codex §1.8); asked by a helper process, as the vault's key is. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { PointsmanError } from '../../../shared/errors.ts'
import type { LoginKeyring } from '../../sign-in-ports.ts'
import { askOnce, type KeychainOptions, refusal } from './keychain.ts'
import type { KeychainAnswer } from './keychain-question.ts'

const service = 'Codex Auth'

export interface LoginKeyringOptions extends KeychainOptions {
  readonly platform: string
}

export function loginKeyring({ platform, ...options }: LoginKeyringOptions): LoginKeyring {
  const read = async (codexHome: string): Promise<{ readonly account: string; readonly text: string } | null> => {
    for (const account of await accountsOf(codexHome, platform)) {
      const answer = answered(await askOnce({ act: 'read-login', service, account }, options))
      if (answer.kind === 'value') return { account, text: answer.value }
    }
    return null
  }
  return {
    read: async (codexHome) => (await read(codexHome))?.text ?? null,
    async replace(codexHome, text, expected) {
      const found = await read(codexHome)
      if (found?.text !== expected) throw new PointsmanError('conflict', { what: 'The keychain item' })
      answered(await askOnce({ act: 'keep-login', service, account: found.account, value: text }, options))
    },
  }
}

/** The CLI hashes the folder's canonical path, which on Windows has a prefix of its own. */
async function accountsOf(codexHome: string, platform: string): Promise<readonly string[]> {
  const canonical = await realpath(codexHome).catch(() => codexHome)
  const paths = platform === 'win32' ? [`\\\\?\\${canonical}`, canonical] : [canonical]
  return paths.map((path) => `cli|${createHash('sha256').update(path).digest('hex').slice(0, 16)}`)
}

function answered(answer: Awaited<ReturnType<typeof askOnce>>): KeychainAnswer {
  if (answer.kind !== 'failed' && answer.kind !== 'hung') return answer
  throw new PointsmanError('credential_unreadable', { why: refusal(answer).because })
}
