/** What the process-level proofs share: the built program over a simulator in this process, with accounts, under load. */
import { type Practice, startPractice } from '../../src/main/practice/practice.ts'
import { codexCli, response } from './asks.ts'
import { type ClientAnswer, send } from './client.ts'
import { type Program, type ProgramOptions, startProgram } from './run-program.ts'
import { wallClock } from './start-core.ts'

export const openPractice = (eventDelayMs = 0): Promise<Practice> => startPractice({ clock: wallClock, eventDelayMs })

/** Stored logins under a key file of their own; no window, no practice mode of the program's own. */
export function startOver(practice: Practice, options: ProgramOptions = {}): Promise<Program> {
  const { claude, claudeAuth, codex, codexAuth } = practice.hosts
  return startProgram({
    ...options,
    practice: false,
    args: ['--vault', 'file', '--no-ui', ...(options.args ?? [])],
    environment: {
      POINTSMAN_UPSTREAM_CLAUDE: claude,
      POINTSMAN_UPSTREAM_CLAUDE_AUTH: claudeAuth,
      POINTSMAN_UPSTREAM_CODEX: codex,
      POINTSMAN_UPSTREAM_CODEX_AUTH: codexAuth,
      ...options.environment,
    },
  })
}

/** A Codex account without limits. */
export async function addCodex(program: Program, practice: Practice, id = 'codex-team'): Promise<void> {
  const { accessToken, refreshToken, idToken } = practice.signIn(id)
  practice.setWindows(id, [])
  const tokens = {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    account_id: practice.account(id).workspaceId,
  }
  const credential = { tokens, last_refresh: new Date().toISOString() }
  await program.rpc('accounts.import', { provider: 'codex', label: id, credential })
}

/** One call whose model's name tells it from every other in the log. */
export function callNamed(program: Program, key: string, name: string, change: object = {}): Promise<ClientAnswer> {
  return send({
    port: Number(new URL(program.address).port),
    path: '/codex/v1/responses',
    body: JSON.stringify(response({ model: name, ...change })),
    headers: { ...codexCli(name).headers, authorization: `Bearer ${key}` },
  })
}

export interface Row {
  readonly id: string
  readonly requestedModel: string
  readonly outcome: string | null
  readonly status: number | null
}

/** Every row of the log. */
export async function allRows(program: Program): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await program.rpc<{ readonly rows: readonly Row[]; readonly total: number }>('calls.page', {
      limit: 500,
      offset: rows.length,
    })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= page.total) return rows
  }
}
