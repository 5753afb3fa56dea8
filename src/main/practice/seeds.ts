/** The people and keys of practice mode: two Claude and two Codex accounts, a key for each vendor, one Ollama. */
import type { PracticeWindow } from './windows.ts'
import type { PracticeAccount, PracticeKey, PracticeLocal } from './world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface NewAccount {
  readonly id: string
  readonly label?: string
  readonly provider: 'claude' | 'codex'
  readonly plan?: string
  readonly rateLimitTier?: string
  readonly email?: string
  readonly workspace?: string
  readonly userId?: string
  readonly workspaceId?: string
  readonly windows?: readonly PracticeWindow[]
}

/** An account with the given facts; what is left out follows from its id. */
export function newAccount(facts: NewAccount, nowMs: number): PracticeAccount {
  const { id, provider } = facts
  return {
    kind: 'account',
    id,
    label: facts.label ?? id,
    provider,
    email: facts.email ?? `${id}@practice.invalid`,
    userId: facts.userId ?? uuid(`user ${id}`),
    workspaceId: facts.workspaceId ?? uuid(`workspace ${id}`),
    workspace: facts.workspace ?? `Workspace of ${facts.label ?? id}`,
    plan: facts.plan ?? (provider === 'claude' ? 'pro' : 'plus'),
    rateLimitTier: facts.rateLimitTier ?? (provider === 'claude' ? 'default_claude_ai' : null),
    windows: facts.windows ?? [fiveHour(0, nowMs, null, 1), weekly(0, nowMs, null, 0.2)],
    kept: null,
    fault: 'none',
    warm: new Map(),
  }
}

export const fiveHour = (
  usedPercent: number,
  nowMs: number,
  resetInMs: number | null,
  percentPerCall: number,
): PracticeWindow => ({
  name: 'five-hour',
  lengthMs: 5 * hourMs,
  family: null,
  ownPool: false,
  usedPercent,
  resetAtMs: resetInMs === null ? null : nowMs + resetInMs,
  percentPerCall,
})

export const weekly = (
  usedPercent: number,
  nowMs: number,
  resetInMs: number | null,
  percentPerCall: number,
): PracticeWindow => ({
  ...fiveHour(usedPercent, nowMs, resetInMs, percentPerCall),
  name: 'weekly',
  lengthMs: 7 * dayMs,
})

/** Different enough that each strategy has something to choose, and one reset is near enough to be watched. */
export function seedAccounts(nowMs: number): readonly PracticeAccount[] {
  const fable = { ...weekly(61, nowMs, 4 * dayMs, 2), name: 'weekly:fable', family: 'fable' }
  const spark = { ...fiveHour(3, nowMs, 4 * hourMs, 1), name: 'spark:five-hour', family: 'spark', ownPool: true }
  return [
    newAccount(
      {
        id: 'claude-work',
        label: 'Claude, work',
        provider: 'claude',
        plan: 'max',
        rateLimitTier: 'default_claude_max_20x',
        workspace: 'Northern Signals',
        windows: [fiveHour(23, nowMs, 3 * hourMs, 0.6), weekly(41, nowMs, 4 * dayMs, 0.1), fable],
      },
      nowMs,
    ),
    newAccount(
      {
        id: 'claude-personal',
        label: 'Claude, personal',
        provider: 'claude',
        plan: 'pro',
        windows: [fiveHour(74, nowMs, 12 * 60_000, 4), weekly(18, nowMs, 2 * dayMs, 0.8)],
      },
      nowMs,
    ),
    newAccount(
      {
        id: 'codex-team',
        label: 'Codex, team',
        provider: 'codex',
        plan: 'business',
        workspace: 'Northern Signals',
        windows: [fiveHour(35, nowMs, 2 * hourMs, 0.9), weekly(22, nowMs, 5 * dayMs, 0.2), spark],
      },
      nowMs,
    ),
    newAccount(
      {
        id: 'codex-personal',
        label: 'Codex, personal',
        provider: 'codex',
        plan: 'plus',
        windows: [fiveHour(58, nowMs, 25 * 60_000, 2.5), weekly(67, nowMs, dayMs + 6 * hourMs, 0.6)],
      },
      nowMs,
    ),
  ]
}

export const seedKeys = (): readonly PracticeKey[] =>
  [
    {
      id: 'anthropic-key',
      label: 'Anthropic key',
      origin: 'anthropicApi' as const,
      key: 'sk-ant-api03-practice-anthropic-key',
    },
    { id: 'openai-key', label: 'OpenAI key', origin: 'openaiApi' as const, key: 'sk-practice-openai-key' },
  ].map((key) => ({ kind: 'key', ...key, refusal: null, fault: 'none', warm: new Map() }))

export const seedLocal = (): PracticeLocal => ({
  kind: 'local',
  id: 'ollama',
  label: 'Ollama',
  origin: 'ollamaHost',
  fault: 'none',
  warm: new Map(),
})

/** A made-up UUID that is the same for the same text. */
function uuid(text: string): string {
  let hash = 0xcbf29ce484222325n
  let hex = ''
  for (let round = 0; hex.length < 32; round += 1) {
    for (const char of `${round} ${text}`)
      hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n)
    hex += hash.toString(16).padStart(16, '0')
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
