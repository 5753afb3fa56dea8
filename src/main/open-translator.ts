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

const failed: Found = {
  kind: 'refused',
  code: 'translation_failed',
  path: '',
  why: 'its translation failed; the log has the reason',
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
  const waiting = new Map<number, (found: Found) => void>()

  const stop = (): void => {
    if (idle !== null) clearTimeout(idle)
    idle = null
    const ended = worker
    worker = null
    void ended?.terminate()
    for (const settle of waiting.values()) settle(failed)
    waiting.clear()
  }

  const start = (url: URL): Worker => {
    const started = new Worker(url)
    started.unref()
    started.on('message', ({ id, found }: { readonly id: number; readonly found: Found | null }) => {
      const settle = waiting.get(id)
      waiting.delete(id)
      settle?.(found ?? failed)
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
      worker ??= start(workerUrl)
      last += 1
      const id = last
      const found = new Promise<Found>((resolve) => waiting.set(id, resolve))
      worker.postMessage({ id, pieces: body.pieces, task })
      return found
    },
    close: stop,
  }
}
