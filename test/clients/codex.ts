/** The Codex CLI in its two ways of reaching Pointsman: a provider of its own, or its ChatGPT sign-in (codex §7.1). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall } from '../../src/main/practice/practice.ts'
import { type CliRun, runCli } from './run-cli.ts'

export interface CodexHome {
  readonly folder: string
  run(args: readonly string[], boundMs?: number): Promise<CliRun>
}

export const model = 'gpt-6.2-sol'

/** What the made-up sign-in holds; none of it may reach an upstream. */
export const ownBearer = jwt({
  email: 'own@client.invalid',
  exp: 4_102_444_800,
  'https://api.openai.com/auth': {
    chatgpt_account_id: 'own-account-id',
    chatgpt_plan_type: 'pro',
    chatgpt_user_id: 'own-user',
  },
})
export const ownAccountId = 'own-account-id'

/** `base` ends in the provider id; the key travels as a bearer. */
export function codexWithProvider(folder: string, base: string, key: string): CodexHome {
  return home(folder, [
    `model = "${model}"`,
    'model_provider = "pointsman"',
    '[model_providers.pointsman]',
    'name = "Pointsman"',
    `base_url = "${base}/v1"`,
    'wire_api = "responses"',
    `experimental_bearer_token = "${key}"`,
  ])
}

/** `base` ends in the provider id and has the key in its path; the client sends its own bearer and account. */
export function codexWithSignIn(folder: string, base: string, elsewhere: string): CodexHome {
  const made = home(folder, [
    `model = "${model}"`,
    `openai_base_url = "${base}/v1"`,
    `chatgpt_base_url = "${elsewhere}/backend-api"`,
  ])
  writeFileSync(join(made.folder, 'codex', 'auth.json'), ownSignIn(), { mode: 0o600 })
  return made
}

/** The CLI's `auth.json` with that sign-in. */
export function ownSignIn(): string {
  const tokens = {
    id_token: ownBearer,
    access_token: ownBearer,
    refresh_token: 'own-refresh',
    account_id: ownAccountId,
  }
  return JSON.stringify({ OPENAI_API_KEY: null, auth_mode: 'chatgpt', tokens, last_refresh: new Date().toISOString() })
}

function home(folder: string, lines: readonly string[]): CodexHome {
  const codexHome = join(folder, 'codex')
  mkdirSync(codexHome, { recursive: true })
  // Telemetry that can't leave the namespace would hold each run up for five seconds.
  const quiet = ['[analytics]', 'enabled = false']
  writeFileSync(join(codexHome, 'config.toml'), `${[...lines, ...quiet].join('\n')}\n`)
  return {
    folder,
    run: (args, boundMs) =>
      runCli('codex', args, {
        folder,
        environment: { CODEX_HOME: codexHome },
        ...(boundMs === undefined ? {} : { boundMs }),
      }),
  }
}

/** One turn without asking; the namespace is the sandbox. */
export const exec = (prompt: string): readonly string[] => [
  'exec',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  prompt,
]

export const shell = (cmd: string): ToolCall => ({
  kind: 'function',
  name: 'exec_command',
  arguments: JSON.stringify({ cmd }),
})

function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.bm8tc2lnbmF0dXJl`
}
