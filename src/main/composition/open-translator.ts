/** Does what takes a whole body: short ones at once, long ones in a worker, started for the first and ended when idle. */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { systemGiveWay } from '../adapters/system.ts'
import { inStretches, shortPieces, stretchBytes } from '../dialects/stretches.ts'
import type { FlowDeps, Translator } from '../flow/flow-deps.ts'
import type { Body, Clock, Log } from '../ports.ts'
import { KeptThoughts } from '../state/kept-thoughts.ts'
import { Lacking } from '../state/lacking.ts'
import { workOn } from '../translate/whole-body.ts'

const idleMs = 60_000

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const textOf = ({ pieces }: Body): string => Buffer.concat(pieces).toString('utf8')

/** A copy of each piece, handed over: to clone views would copy the whole of what each is a view on. */
function* handOver({ pieces }: Body, id: number, to: Worker): Generator<number, void, undefined> {
  for (const view of shortPieces(pieces)) {
    const piece = new Uint8Array(view)
    to.postMessage({ id, piece }, [piece.buffer])
    yield view.length
  }
}

export interface Translation {
  readonly deps: Pick<FlowDeps, 'translator' | 'thoughts' | 'notCounting' | 'notKeepingTtl'>
  readonly close: () => void
}

export function openTranslation(workerUrl: URL | null, clock: Clock, log: Log): Translation {
  const translator = openTranslator(workerUrl, log)
  const [notCounting, notKeepingTtl] = [new Lacking(clock), new Lacking(clock)]
  const deps = { translator, thoughts: new KeptThoughts(clock), notCounting, notKeepingTtl }
  return { deps, close: () => translator.close() }
}

function openTranslator(workerUrl: URL | null, log: Log): Translator & { close(): void } {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | null = null
  let last = 0
  /** What to do with a result; with none, the work is done here, so that a fault of it is seen like any other. */
  const waiting = new Map<number, (found: unknown) => void>()

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
    started.on('message', ({ id, found }: { readonly id: number; readonly found: unknown }) => {
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
    async work(work, body, task) {
      type Result = ReturnType<typeof workOn<typeof work>>
      const here = (): Result => workOn(work, textOf(body), task, hash)
      if (workerUrl === null || body.length < stretchBytes) return here()
      if (idle !== null) clearTimeout(idle)
      idle = null
      worker ??= start(workerUrl)
      const by = worker
      last += 1
      const id = last
      const found = new Promise<Result>((resolve, reject) => {
        waiting.set(id, (made) => {
          try {
            resolve((made as Result | null) ?? here())
          } catch (cause) {
            reject(cause)
          }
        })
      })
      const handed = inStretches(handOver(body, id, by), systemGiveWay).then(() => by.postMessage({ id, work, task }))
      const [result] = await Promise.all([found, handed])
      return result
    },
    close: stop,
  }
}
