/** What the specs of the call log have in common: its rows, its explanation, conversations over HTTP, a seeded log. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { CallRecord } from '../../src/main/domain/call.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { sampleCall } from '../adapters/sqlite/sample-calls.ts'
import { type Program, startProgram } from '../program/run-program.ts'
import { seedCalls } from './seed-calls.ts'
import { test as base, call, openWindow, watch } from './window.ts'

export const gridOf = (page: Page): Locator => page.getByRole('grid', { name: 'Calls' })
/** The lines of the log in sight, in the order of the page. */
export const linesOf = (page: Page): Locator => page.locator('.call-row')
export const lineAt = (page: Page, place: number): Locator => page.locator(`.call-row[data-place="${place}"]`)
export const explanationOf = (page: Page): Locator => page.locator('.explanation')
export const cell = (line: Locator, column: string): Locator => line.locator(`.cell-${column}`)
export const newerOf = (page: Page): Locator => page.getByRole('button', { name: /new\. Show the newest calls$/ })

/** Several at once: each takes a second or two. */
export const calls = (program: Program, count: number): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, () => call(program)))

/** Where it stands on the screen. */
export async function yOf(locator: Locator): Promise<number> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('not on the screen')
  return box.y
}

export const scrollTo = (page: Page, share: number): Promise<void> =>
  gridOf(page).evaluate((grid, at) => {
    grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * at
  }, share)

export interface Seeded {
  readonly program: Program
  readonly page: Page
}

export interface SeedOptions {
  readonly count: number
  readonly recordOf: (place: number) => CallRecord
  readonly isWhole?: (place: number) => boolean
}

/** A window on a log of many calls. */
export const test = base.extend<{ readonly seeded: (options: SeedOptions) => Promise<Seeded> }>({
  seeded: async ({ page, complaints }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-calls-'))
    let program: Program | null = null
    await use(async ({ count, recordOf, isWhole = () => true }) => {
      seedCalls(dataDir, count, recordOf, isWhole)
      program = await startProgram({ dataDir, window: true })
      watch(page, complaints)
      await openWindow(page, program, 'Call log')
      return { program, page }
    })
    await (program as Program | null)?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  },
})

export { expect } from './window.ts'

export const accounts = ['Claude, work', 'Codex, team', 'Codex, personal'] as const
const models = ['claude-opus-4-8', 'gpt-5.5', 'gpt-5.5-mini'] as const
const ids = ['claude-work', 'codex-team', 'codex-personal'] as const

/** Call `place` from the newest on, one every `stepMs`; every 50th failed. */
export function callAt(place: number, newestMs: number, stepMs: number, change: Partial<CallRecord> = {}): CallRecord {
  const startedMs = newestMs - place * stepMs
  const kind = place % 3
  return sampleCall(startedMs * 1_000, {
    sourceId: sourceId(ids[kind] ?? ''),
    sourceLabel: accounts[kind] ?? null,
    requestedModel: models[kind] ?? null,
    upstreamModel: models[kind] ?? null,
    outcome: place % 50 === 49 ? 'failed' : 'done',
    usage: {
      inputTokens: place,
      cacheReadTokens: 900,
      cacheWriteTokens: 0,
      outputTokens: 10,
      reasoningTokens: 0,
    },
    ...change,
  })
}
