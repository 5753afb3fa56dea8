/** Translates requests: short ones at once, long ones in a worker that is started for the first and ends when idle. */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { FlowDeps, Translator } from './flow/flow-deps.ts'
import type { Body, Clock, Log } from './ports.ts'
import { KeptThoughts } from './state/kept-thoughts.ts'
import { type RequestTask, type TranslationOf, translateRequest } from './translate/translate-request.ts'

/** From here on a history is translated beside the event loop. */
const longBytes = 256 * 1024
const idleMs = 60_000

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const encoder = new TextEncoder()

type Found = TranslationOf<Uint8Array>

function here({ pieces }: Body, task: RequestTask): Found {
  const found = translateRequest(Buffer.concat(pieces).toString('utf8'), task, hash)
  return found.kind === 'refused' ? found : { ...found, body: encoder.encode(found.body) }
}

function joined({ pieces, length }: Body): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export interface Translation {
  readonly deps: Pick<FlowDeps, 'translator' | 'thoughts'>
  readonly close: () => void
}

export function openTranslation(workerUrl: URL | null, clock: Clock, log: Log): Translation {
  const translator = openTranslator(workerUrl, log)
  return { deps: { translator, thoughts: new KeptThoughts(clock) }, close: () => translator.close() }
}

function openTranslator(workerUrl: URL | null, log: Log): Translator & { close(): void } {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | null = null
  let last = 0
  /** What to do with an answer; with none, the work is done here, so that a fault of it is seen like any other. */
  const waiting = new Map<number, (found: Found | null) => void>()

  const stop = (): void => {
    if (idle !== null) clearTimeout(idle)
    idle = null
    const ended = worker
    worker = null
    void ended?.terminate()
    const left = [...waiting.values()]
    waiting.clear()
    for (const settle of left) settle(null)
  }

  const start = (url: URL): Worker => {
    const started = new Worker(url)
    started.unref()
    started.on('message', ({ id, found }: { readonly id: number; readonly found: Found | null }) => {
      const settle = waiting.get(id)
      waiting.delete(id)
      settle?.(found)
      if (waiting.size > 0) return
      if (idle !== null) clearTimeout(idle)
      idle = setTimeout(stop, idleMs)
      idle.unref()
    })
    started.on('error', (cause) => {
      log.fault('translation-worker-failed', cause)
      if (worker === started) stop()
    })
    return started
  }

  return {
    async translate(body, task) {
      if (workerUrl === null || body.length < longBytes) return here(body, task)
      if (idle !== null) clearTimeout(idle)
      idle = null
      worker ??= start(workerUrl)
      last += 1
      const id = last
      const found = new Promise<Found>((resolve, reject) => {
        waiting.set(id, (made) => {
          try {
            resolve(made ?? here(body, task))
          } catch (cause) {
            reject(cause)
          }
        })
      })
      // One copy, handed over: to clone views would copy the whole of what each is a view on.
      const bytes = joined(body)
      worker.postMessage({ id, bytes, task }, [bytes.buffer])
      return found
    },
    close: stop,
  }
}
