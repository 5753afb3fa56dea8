/** What a person does to a pool's order: moves with their undo, and what is asked before one counts. */
import { create } from 'zustand'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import type { Affected } from '../profiles/affected.tsx'
import { dismiss, toast } from '../state/toasts.ts'
import type { Texts } from '../text/en.ts'
import { staying, takeAlong } from './conversations.ts'
import { saveOrder, useOrders } from './orders.ts'
import { newlyPaid } from './payment.ts'
import { type Pool, poolNow, type Strategy, strategiesMirror, takePools, tiersOfPool } from './pools.ts'
import { isDivider, isSame, placeOf, type RowKey, type Step, stepped, type Tiers } from './rows.ts'

export interface Move {
  readonly pool: Pool
  readonly before: Tiers
  readonly after: Tiers
  /** What was taken hold of, for the notice. */
  readonly row: RowKey
  readonly step: Step | 'drop'
}

/** A move that waits for the answer to "whose order counts?". */
export const useQuestion = create<{ readonly move: Move | null }>()(() => ({ move: null }))

interface PaymentQuestion {
  readonly move: Move
  readonly useMine: boolean
  /** Who would be paid. */
  readonly name: string
  readonly affected: Affected
}

/** A move after which a model in use would be paid for. */
export const usePaymentQuestion = create<{ readonly asked: PaymentQuestion | null }>()(() => ({ asked: null }))

const orderedId = 'ordered'
const keptKey = 'pointsman.kept-strategies'

/** Pools whose person said that the strategy stays: not asked again. */
const keptOf = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keptKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}
const keptName = ({ id, strategy }: Pool): string => `${strategy} ${id}`

export const strategyOf = ({ strategy }: Pool): Strategy | undefined =>
  strategiesMirror.store.getState().value?.find(({ id }) => id === strategy)

/** What is on the screen now, which may be ahead of the program. */
export const shownTiers = (pool: Pool): Tiers => useOrders.getState().shown.get(pool.id) ?? tiersOfPool(pool)

export function step(pool: Pool, row: RowKey, how: Step, texts: Texts): boolean {
  const before = shownTiers(pool)
  const after = stepped(before, row, how)
  if (after === null) return false
  begin({ pool, before, after, row, step: how }, texts)
  return true
}

export function drop(pool: Pool, row: RowKey, after: Tiers, texts: Texts): void {
  const before = shownTiers(pool)
  if (!isSame(before, after)) begin({ pool, before, after, row, step: 'drop' }, texts)
}

function begin(move: Move, texts: Texts): void {
  const { pool } = move
  const isExact = strategyOf(pool)?.exact ?? true
  if (isExact || !pool.strategyServed || keptOf().includes(keptName(pool))) void askWhoPays(move, texts)
  else useQuestion.setState({ move })
}

/** The answer to the question; null leaves everything as it was. */
export function answer(choice: 'mine' | 'keep' | null, texts: Texts): void {
  const { move } = useQuestion.getState()
  useQuestion.setState({ move: null })
  if (move === null || choice === null) return
  if (choice === 'keep') localStorage.setItem(keptKey, JSON.stringify([...keptOf(), keptName(move.pool)].slice(-500)))
  if (choice === 'mine') void askWhoPays(move, texts, true)
  else void carryOut(move, texts)
}

async function askWhoPays(move: Move, texts: Texts, useMine = false): Promise<void> {
  const { pool, after } = move
  const paid = (strategyOf(pool)?.exact ?? false) || useMine ? newlyPaid(pool, after) : null
  // What can't be told must not keep the person from doing it.
  const affected = paid && (await client.keys.preview({ kind: 'pool', poolId: pool.id }).catch(() => null))
  if (paid === null || affected === null || affected.calls === 0) await carryOut(move, texts, useMine)
  else usePaymentQuestion.setState({ asked: { move, useMine, name: paid.sourceLabel, affected } })
}

export function answerPayment(isWanted: boolean, texts: Texts): void {
  const { asked } = usePaymentQuestion.getState()
  usePaymentQuestion.setState({ asked: null })
  if (asked !== null && isWanted) void carryOut(asked.move, texts, asked.useMine)
}

/** One notice per pool: a row that is moved step by step goes back by one undo to where it began. */
const latest = new Map<string, { readonly toastId: number; readonly row: RowKey; readonly before: Tiers }>()

async function carryOut(move: Move, texts: Texts, useMine = false): Promise<void> {
  const { pool, after, row } = move
  const { strategy, usesDefaultStrategy, strategyOptions } = pool
  if (!(await saveOrder(pool, after))) return
  if (useMine && !(await setStrategy(pool.id, orderedId, {}, texts))) return
  const last = latest.get(pool.id)
  if (last !== undefined) dismiss(last.toastId)
  const before = last?.row === row && !isDivider(row) && !useMine ? last.before : move.before
  const undo = async (): Promise<void> => {
    latest.delete(pool.id)
    const now = poolNow(pool.id)
    if (now === undefined || !(await saveOrder(now, before)) || !useMine) return
    await setStrategy(pool.id, usesDefaultStrategy ? null : strategy, strategyOptions, texts)
  }
  const count = await staying(pool.id)
  const alsoMove = { text: texts.models.alsoMove(count), run: () => void takeAlong(pool.id, texts) }
  const toastId = toast(sentence(move, texts), {
    undo: () => void undo(),
    extra: count > 0 ? alsoMove : null,
    settle: () => {
      if (latest.get(pool.id)?.toastId === toastId) latest.delete(pool.id)
    },
  })
  latest.set(pool.id, { toastId, row, before })
}

function sentence({ pool, after, row, step: how }: Move, { models }: Texts): string {
  if (how === 'remove-divider') return models.dividerRemoved
  if (isDivider(row)) return models.dividerMoved
  const name = pool.tiers.flat().find(({ backendId }) => backendId === row)?.sourceLabel ?? row
  if (how === 'new-tier') return models.tierMade(name)
  const { place, total } = placeOf(after, row)
  return models.moved(name, place, total)
}

/** Null: the default one. */
export async function setStrategy(
  poolId: string,
  strategy: string | null,
  options: Readonly<Record<string, number>>,
  { said }: Texts,
): Promise<boolean> {
  const basedOn = poolNow(poolId)?.revision
  try {
    const fresh = await client.models.setStrategy({
      ...{ poolId, strategy, options: { ...options } },
      ...(basedOn === undefined ? {} : { basedOn }),
    })
    takePools([fresh])
    return true
  } catch (cause) {
    toast(said.problem(problemOf(cause)))
    return false
  }
}
