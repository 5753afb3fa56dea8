/** A mirror of something in main: its last known value, read again whenever one of its areas changes. */
import { useEffect } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { type Area, onChange } from './areas.ts'

export interface Mirrored<Value> {
  /** Null until it has been read once; kept while the connection is lost. */
  readonly value: Value | null
  /** Of the last reading, when it failed for another reason than the connection. */
  readonly problem: Problem | null
}

export interface Mirror<Value> {
  readonly store: StoreApi<Mirrored<Value>>
  /** Reads it for the first time and from then on; once is enough. */
  start(): void
  /** Reads it again, for after a command. */
  refresh(): Promise<void>
  /** Shows a value before main has confirmed it; the next reading decides. */
  foresee(change: (value: Value) => Value): void
}

/** For components; the first one starts the mirror. */
export function useMirror<Value>(mirror: Mirror<Value>): Mirrored<Value> {
  useEffect(() => mirror.start(), [mirror])
  return useStore(mirror.store)
}

export function mirror<Value>(areas: readonly Area[], read: () => Promise<Value>): Mirror<Value> {
  const store = createStore<Mirrored<Value>>()(() => ({ value: null, problem: null }))
  let running: Promise<void> | null = null
  let again = false
  let isStarted = false

  /** Never two readings at once; a change during one leads to exactly one more. */
  const refresh = (): Promise<void> => {
    if (running !== null) {
      again = true
      return running
    }
    running = readOnce().finally(() => {
      running = null
      if (!again) return
      again = false
      return refresh()
    })
    return running
  }

  const readOnce = async (): Promise<void> => {
    try {
      const value = await read()
      store.setState({ value, problem: null })
    } catch (cause) {
      const problem = problemOf(cause)
      if (problem.code !== 'connection') store.setState({ problem })
    }
  }

  return {
    store,
    start() {
      if (isStarted) return
      isStarted = true
      for (const area of areas) onChange(area, () => void refresh())
    },
    refresh,
    foresee(change) {
      const { value } = store.getState()
      if (value !== null) store.setState({ value: change(value) })
    },
  }
}
