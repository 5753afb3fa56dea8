/** What the desktop app was started with; Chromium's own switches and anything unknown are left alone. */
import { parseArgs } from 'node:util'
import { PointsmanError } from '../../../shared/errors.ts'
import type { VaultName } from '../headless/serve.ts'

export interface StartOptions {
  readonly dataDir: string | null
  readonly port: number | null
  readonly vault: VaultName | null
  readonly practice: boolean
  readonly traffic: boolean
  /** Without the window at first: launched at login. */
  readonly hidden: boolean
}

const vaults: readonly string[] = ['keychain', 'passphrase', 'file', 'memory']

export function readArguments(words: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...words],
    strict: false,
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      vault: { type: 'string' },
      practice: { type: 'boolean' },
      traffic: { type: 'boolean' },
      hidden: { type: 'boolean' },
    },
  })
  const { port, vault, 'data-dir': dataDir } = values
  return {
    dataDir: typeof dataDir === 'string' ? dataDir : null,
    port: port === undefined ? null : portOf(port),
    vault: vault === undefined ? null : vaultOf(vault),
    practice: values.practice === true,
    traffic: values.traffic === true,
    hidden: values.hidden === true,
  }
}

function portOf(value: string | boolean): number {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : -1
  if (port < 0 || port > 65_535) throw new PointsmanError('usage', { why: '--port needs a number from 0 to 65535' })
  return port
}

function vaultOf(value: string | boolean): VaultName {
  if (typeof value === 'string' && vaults.includes(value)) return value as VaultName
  throw new PointsmanError('usage', { why: `--vault needs one of ${vaults.join(', ')}` })
}
