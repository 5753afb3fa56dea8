/** Short notices at the foot of the window; one with an undo carries out its action only when its time is over. */
import { create } from 'zustand'

export interface Toast {
  readonly id: number
  readonly text: string
  /** Takes the change back; shown as a button while the toast lives. */
  readonly undo: (() => void) | null
  /** One more thing that can be done while it is shown. */
  readonly extra: { readonly text: string; readonly run: () => void } | null
  /** What really happens once nobody has undone it. */
  readonly settle: (() => void) | null
}

export const undoMs = 10_000
const noticeMs = 6_000
const mostToasts = 4

export const useToasts = create<{ readonly toasts: readonly Toast[] }>()(() => ({ toasts: [] }))

let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

export interface ToastOptions {
  readonly undo?: () => void
  readonly settle?: () => void
  readonly extra?: Toast['extra']
}

/** Returns the toast's id, for `dismiss`. */
export function toast(text: string, { undo, settle, extra }: ToastOptions = {}): number {
  lastId += 1
  const id = lastId
  const fresh: Toast = { id, text, undo: undo ?? null, settle: settle ?? null, extra: extra ?? null }
  const { toasts } = useToasts.getState()
  for (const old of toasts.slice(0, Math.max(0, toasts.length + 1 - mostToasts))) dismiss(old.id)
  useToasts.setState((state) => ({ toasts: [...state.toasts, fresh] }))
  arm(id, undo === undefined ? noticeMs : undoMs)
  return id
}

/** Ends a toast early: what it announced happens now. */
export function dismiss(id: number): void {
  take(id)?.settle?.()
}

export function undo(id: number): void {
  take(id)?.undo?.()
}

/** Once; what the toast announced can still be undone. */
export function runExtra(id: number): void {
  const { toasts } = useToasts.getState()
  useToasts.setState({ toasts: toasts.map((each) => (each.id === id ? { ...each, extra: null } : each)) })
  toasts.find((each) => each.id === id)?.extra?.run()
}

/** While somebody reads or reaches for it, its time stands still. */
export function hold(id: number): void {
  clearTimeout(timers.get(id))
}

export function release(id: number): void {
  const found = useToasts.getState().toasts.find((each) => each.id === id)
  if (found !== undefined) arm(id, found.undo === null ? noticeMs : undoMs)
}

function arm(id: number, lifeMs: number): void {
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => dismiss(id), lifeMs),
  )
}

function take(id: number): Toast | undefined {
  const { toasts } = useToasts.getState()
  clearTimeout(timers.get(id))
  timers.delete(id)
  useToasts.setState({ toasts: toasts.filter((each) => each.id !== id) })
  return toasts.find((each) => each.id === id)
}

// What was announced as done is done, also when the window is closed before the toast has gone.
addEventListener('pagehide', () => {
  for (const { id } of useToasts.getState().toasts) dismiss(id)
})
