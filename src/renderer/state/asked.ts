/** An answer that follows what is being typed: asked once the typing has paused, the last one kept until the next. */
import { useEffect, useRef, useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'

const settleMs = 200

export interface Asked<Answer> {
  readonly answer: Answer | null
  readonly problem: Problem | null
}

const nothing = { answer: null, problem: null } as const

/** `input` null: there is nothing to ask yet. It is asked again when it reads differently. */
export function useAsked<Input, Answer>(
  input: Input | null,
  ask: (input: Input, signal: AbortSignal) => Promise<Answer>,
): Asked<Answer> {
  const [state, setState] = useState<Asked<Answer>>(nothing)
  const latest = useRef({ input, ask })
  latest.current = { input, ask }
  const text = input === null ? null : JSON.stringify(input)
  useEffect(() => {
    if (text === null) {
      setState(nothing)
      return
    }
    const abort = new AbortController()
    const timer = setTimeout(() => {
      const now = latest.current
      if (now.input === null) return
      now
        .ask(now.input, abort.signal)
        .then((answer) => setState({ answer, problem: null }))
        .catch((cause: unknown) => {
          if (!abort.signal.aborted) setState({ answer: null, problem: problemOf(cause) })
        })
    }, settleMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return state
}
