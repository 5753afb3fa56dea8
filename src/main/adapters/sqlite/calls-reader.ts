/** Worker entry: reads `calls.db` for the window and the command line, and does the slow work on the file. */
import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { BudgetId, CallId } from '../../../shared/ids.ts'
import type { CallFilter, PageView, StatsRange } from '../../ports.ts'
import { callsFile } from './calls/call-database.ts'
import { CostlyCounts, get, older, page, stats, summary } from './calls/call-queries.ts'
import { ledgerLines } from './calls/ledger-table.ts'
import { refusalOf } from './disk-refusal.ts'
import { firstFault } from './open-store.ts'
import { salvageBeside } from './recovery.ts'

/** What may be asked; the answers have the types of the port. */
export type ReaderQuestion =
  | {
      readonly kind: 'page'
      readonly limit: number
      readonly offset: number
      readonly filter: CallFilter
      readonly view: PageView
    }
  | { readonly kind: 'get'; readonly id: CallId }
  | { readonly kind: 'older'; readonly before: CallId | null; readonly limit: number; readonly filter: CallFilter }
  | { readonly kind: 'stats'; readonly range: StatsRange }
  | { readonly kind: 'summary'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'ledger'; readonly budgetId: BudgetId; readonly limit: number }
  | { readonly kind: 'is-sound' }
  | { readonly kind: 'salvage' }
  | { readonly kind: 'checkpoint'; readonly truncate: boolean }

/** Of the one question that is under way. */
export type ReaderAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly why: string }

const counts = new CostlyCounts(() => performance.now())

const { path } = workerData as { readonly path: string }

parentPort?.on('message', (question: ReaderQuestion) => {
  let answer: ReaderAnswer
  try {
    answer = { kind: 'value', value: reply(question) }
  } catch (cause) {
    answer = { kind: 'refused', why: refusalOf(cause).why }
  }
  parentPort?.postMessage(answer)
})

/** A fresh connection each time: the file may have been set aside meanwhile, and no old snapshot holds up the log. */
function reply(question: ReaderQuestion): unknown {
  if (question.kind === 'salvage') return salvageBeside(callsFile(path), () => performance.now())
  if (!existsSync(path)) return nothing(question)
  const readonly = question.kind !== 'checkpoint'
  const database = new Database(path, { readonly, fileMustExist: true, timeout: 1_000 })
  try {
    return ask(database, question)
  } finally {
    database.close()
  }
}

function ask(database: Database.Database, question: Exclude<ReaderQuestion, { kind: 'salvage' }>): unknown {
  switch (question.kind) {
    case 'page':
      return page(database, question.limit, question.offset, question.filter, question.view, counts)
    case 'get':
      return get(database, question.id)
    case 'older':
      return older(database, question.before, question.limit, question.filter)
    case 'stats':
      return stats(database, question.range)
    case 'summary':
      return summary(database, question)
    case 'ledger':
      return ledgerLines(database, question.budgetId, question.limit)
    case 'is-sound':
      return isSound(database)
    case 'checkpoint':
      checkpoint(database, question.truncate)
      return null
  }
}

/** From so many pages (64 MB) on the writer is held up for a moment, or a log under steady load never begins anew. */
const longLogPages = 16_000

/** The bulk moves while the store goes on writing; what came meanwhile is little, so its lock is held only briefly. */
function checkpoint(database: Database.Database, truncate: boolean): void {
  const passive = (): number => {
    const [done] = database.pragma('wal_checkpoint(PASSIVE)') as readonly { readonly log: number }[]
    return done?.log ?? 0
  }
  const isLong = passive() > longLogPages
  if (isLong) passive()
  if (truncate) database.pragma('wal_checkpoint(TRUNCATE)')
  else if (isLong) database.pragma('wal_checkpoint(RESTART)')
}

function isSound(database: Database.Database): boolean {
  try {
    return firstFault(database) === null
  } catch (cause) {
    if (refusalOf(cause).kind !== 'damaged') throw cause
    return false
  }
}

/** What an absent file holds: nothing has been saved yet. */
function nothing(question: ReaderQuestion): unknown {
  if (question.kind === 'page') return { rows: [], total: 0, newer: 0 }
  if (question.kind === 'summary') return { calls: 0, byFirstChoice: 0, byFailover: 0, priced: 0, cost: null }
  if (question.kind === 'is-sound') return true
  return question.kind === 'older' || question.kind === 'stats' || question.kind === 'ledger' ? [] : null
}
