/** The models an account starts with while its vendor's own list can't be read: dated data, not a promise. */
import type { SourceModel } from '../domain/source.ts'
import type { Vendor } from './oauth-endpoints.ts'

export interface BuiltInModels {
  /** The day these ids were last checked. */
  readonly asOf: string
  readonly models: readonly SourceModel[]
}

const model = (id: string, ...aliases: readonly string[]): SourceModel => ({
  id,
  upstreamModel: id,
  aliases,
  free: false,
})

export const builtInModels: Readonly<Record<Vendor, BuiltInModels>> = {
  // claude §6.
  claude: {
    asOf: '2026-10-24',
    models: [
      model('claude-opus-5-5'),
      model('claude-opus-5'),
      model('claude-opus-4-8'),
      model('claude-fable-5-1'),
      model('claude-fable-5'),
      model('claude-sonnet-5-5'),
      model('claude-sonnet-5'),
      model('claude-sonnet-4-6'),
      model('claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'),
      model('claude-haiku-5-5'),
      model('claude-haiku-4-5', 'claude-haiku-4-5-20251001'),
    ],
  },
  // codex §6.2.
  codex: {
    asOf: '2026-11-17',
    models: [
      model('gpt-6.2-sol'),
      model('gpt-6.2-astra'),
      model('gpt-6.1-sol'),
      model('gpt-6.1-terra'),
      model('gpt-6-astra'),
      model('gpt-6-sol'),
      model('gpt-6-luna'),
      model('gpt-5.6-sol', 'gpt-5.6'),
      model('gpt-5.6-terra'),
      model('gpt-5.6-luna'),
      model('gpt-5.5'),
      model('gpt-5.4'),
      model('gpt-5.4-mini'),
      model('gpt-5.3-codex-spark'),
    ],
  },
}

/** The client version named when no real client was seen yet; an older one silently gets fewer models (codex §6.1). */
export const codexClientVersion = '0.169.1'
