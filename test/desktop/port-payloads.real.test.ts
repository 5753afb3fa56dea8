/** A page that has gone wrong sends anything at all over its port: nothing throws, nothing invalid is done (threats T4.4). */
import { EventEmitter, once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type PortEvent, portChannel, serveWindow } from '../../src/main/shell/desktop/ipc.ts'
import { gated, isCall, type PagePort } from '../../src/main/shell/desktop/port-gate.ts'
import type { Frame } from '../../src/main/shell/desktop/sender.ts'
import { contract } from '../../src/shared/contract/index.ts'
import { type Rig, startRig } from '../program/start-core.ts'

/** The full size is the deep run's. */
const payloads = Number(process.env.POINTSMAN_PAYLOADS ?? 5_000)

interface Member {
  readonly path: string
  readonly input: z.ZodType
}

/** Nothing that the run could be ended or slowed by: they ask a host, or a person. */
const left = ['accounts.import', 'profiles.discoverModels', 'models.test', 'accounts.refreshModels', 'vault.unlock']

const members: readonly Member[] = Object.entries(contract).flatMap(([area, group]) =>
  Object.entries(group).flatMap(([name, member]) => {
    const input = member['~orpc'].inputSchema as z.ZodType | undefined
    const isStream = name === 'changed' || name === 'appended'
    return input === undefined || isStream || left.includes(`${area}.${name}`)
      ? []
      : [{ path: `/${area}/${name}`, input }]
  }),
)

/** Junk of every kind, near misses of the wire format, and real members with inputs of any shape. */
const junk = fc
  .oneof(
    fc.anything(),
    fc.string(),
    fc.json(),
    fc.uint8Array(),
    fc.record(
      {
        i: fc.oneof(fc.string(), fc.anything()),
        t: fc.oneof(fc.constantFrom(1, 2, 3, 4, 5), fc.anything()),
        p: fc.oneof(fc.anything(), fc.record({ e: fc.string(), d: fc.anything() })),
      },
      { requiredKeys: [] },
    ),
  )
  .map((value) => (typeof value === 'string' || value instanceof Uint8Array ? value : (text(value) ?? 'undefined')))

const calls = fc
  .record({
    path: fc.oneof(
      fc.constantFrom(...members.map(({ path }) => path)),
      fc.constantFrom(
        '/__proto__/x',
        '/app/constructor',
        '//evil/',
        'http://evil/',
        '/app/snapshot?data={}',
        '/APP/snapshot',
      ),
    ),
    json: fc.oneof(
      fc.anything(),
      fc.object(),
      fc.dictionary(fc.constantFrom('id', 'label', 'state', 'tiers', '__proto__'), fc.anything()),
    ),
    meta: fc.option(fc.array(fc.array(fc.oneof(fc.integer(), fc.string()))), { nil: undefined }),
    headers: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.dictionary(fc.string(), fc.string())),
  })
  .map(({ path, json, meta, headers }) => ({
    u: path,
    b: { json, meta },
    ...(headers === undefined ? {} : { h: headers }),
  }))

function text(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

interface Answer {
  readonly i: string
  readonly p?: { readonly s?: number }
}

let rig: Rig
const thrown: unknown[] = []
const onThrown = (cause: unknown): void => void thrown.push(cause)

beforeAll(async () => {
  rig = await startRig({ sources: ['claude-work', 'codex-team', 'openai-key'] })
  process.on('unhandledRejection', onThrown)
  process.on('uncaughtException', onThrown)
})

afterAll(async () => {
  process.off('unhandledRejection', onThrown)
  process.off('uncaughtException', onThrown)
  await rig.close()
})

/** A page's end of a port that main was handed, by our own page unless its frame is changed. */
function openPort(change: Partial<Frame> = {}, more: readonly PagePort[] = []) {
  const { port1, port2 } = new MessageChannel()
  const port: PagePort = {
    on(event: string, listener: (event: never) => void) {
      if (event === 'message') port2.on('message', (data) => listener({ data } as never))
      else port2.on('close', () => listener(undefined as never))
    },
    postMessage: (data) => port2.postMessage(data),
    start: () => port2.start(),
    close: () => port2.close(),
  }
  const frame = { url: 'app://pointsman/', parent: null, frameTreeNodeId: 1 }
  const contents = { id: 1, mainFrame: frame }
  const desk = new EventEmitter()
  serveWindow(desk, rig.core, () => contents)
  const event: PortEvent = { sender: contents, senderFrame: { ...frame, ...change }, ports: [port, ...more] }
  desk.emit(portChannel, event)
  return port1
}

describe(`T4.4 ${payloads} random payloads`, () => {
  test('T4.4 nothing throws, and only inputs that their schema takes are done', { timeout: 600_000 }, async () => {
    const page = openPort()
    const answers = new Map<string, number>()
    page.on('message', (data: string) => {
      const { i, p } = JSON.parse(data) as Answer
      answers.set(i, p?.s ?? 200)
    })
    const schemas = new Map(members.map(({ path, input }) => [path, input]))
    const sent = new Map<
      string,
      { readonly u: string; readonly b: { readonly json: unknown; readonly meta: unknown } }
    >()
    const half = Math.ceil(payloads / 2)
    for (const message of fc.sample(junk, { numRuns: half, seed: 20_261_130 })) page.postMessage(message)
    let turn = 0
    for (const call of fc.sample(calls, { numRuns: half, seed: 20_261_130 })) {
      turn += 1
      const message = text({ i: String(turn), p: call })
      if (message === undefined) continue
      sent.set(String(turn), JSON.parse(message).p)
      page.postMessage(message)
      // What is asked is answered in between, as it would be.
      if (turn % 100 === 0) await ask(page, answers, `pause ${turn}`)
    }
    await ask(page, answers, 'last')

    const done = [...answers].filter(([id, status]) => status === 200 && sent.has(id)).map(([id]) => sent.get(id))
    const outside = done.filter((call) => {
      const schema = schemas.get(call?.u ?? '')
      // Only calls without type notes can be compared with their schema as they are.
      return call?.b.meta === undefined && schema?.safeParse(call?.b.json).success !== true
    })
    expect(outside).toEqual([])
    expect(thrown).toEqual([])
    // The test reaches members at all: some were done, many refused.
    expect([done.length > 0, [...answers.values()].filter((status) => status === 400).length > 100]).toEqual([
      true,
      true,
    ])
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    expect(Object.keys(Object.prototype)).toEqual([])
    page.close()
  })

  test('T4.4 the program answers as before: every list fits its own contract', async () => {
    const page = openPort()
    const answers = new Map<string, number>()
    page.on('message', (data: string) => {
      const { i, p } = JSON.parse(data) as Answer
      answers.set(i, p?.s ?? 200)
    })
    const lists = ['/app/snapshot', '/accounts/list', '/profiles/list', '/models/pools', '/keys/list', '/settings/get']
    for (const [index, u] of lists.entries()) page.postMessage(JSON.stringify({ i: `list ${index}`, p: { u } }))
    await ask(page, answers, 'after')
    expect(lists.map((_, index) => answers.get(`list ${index}`))).toEqual(lists.map(() => 200))
    page.close()
  })
})

/** Waits for the answer to one more call, and so for all that were sent before it to be read. */
async function ask(page: ReturnType<typeof openPort>, answers: ReadonlyMap<string, number>, id: string): Promise<void> {
  page.postMessage(JSON.stringify({ i: id, p: { u: '/app/snapshot' } }))
  while (!answers.has(id)) await once(page, 'message', { signal: AbortSignal.timeout(60_000) })
}

describe('T4.4 who hands over a port', () => {
  const closed = (page: ReturnType<typeof openPort>): Promise<string> =>
    new Promise((resolve) => {
      page.on('close', () => resolve('closed'))
      page.on('message', () => resolve('answered'))
      page.postMessage(JSON.stringify({ i: '1', p: { u: '/app/snapshot' } }))
    })
  const spare = (): PagePort => ({ on: () => {}, postMessage: () => {}, start: () => {}, close: () => {} })

  test.each([
    ['a foreign page', { url: 'https://evil.test/' }],
    ['a frame inside our page', { parent: {}, frameTreeNodeId: 2 }],
  ])('T4.4 %s: its port is closed unanswered', async (_, change) => {
    expect(await closed(openPort(change))).toBe('closed')
  })

  test('T4.4 our page with two ports at once: both are closed', async () => {
    expect(await closed(openPort({}, [spare()]))).toBe('closed')
  })

  test('T4.4 the control: our own page is answered', async () => {
    const page = openPort()
    expect(await closed(page)).toBe('answered')
    page.close()
  })
})

describe('T4.4 the gate', () => {
  test.each([
    [{ i: '1', p: { u: '/app/snapshot' } }, true],
    [{ i: '1', p: { u: '/keys/create', b: { json: { label: 'x' } } } }, true],
    [{ i: '1', p: { u: '/app/changed', h: { 'last-event-id': '3' } } }, true],
    [{ i: '1', t: 4 }, true],
    [{ i: 1, p: { u: '/app/snapshot' } }, false],
    [{ i: 'x'.repeat(65), p: { u: '/app/snapshot' } }, false],
    [{ i: '1', t: 1, p: { u: '/app/snapshot' } }, false],
    [{ i: '1', t: 3, p: { e: 'message' } }, false],
    [{ i: '1', p: { u: '/app/snapshot', m: 'GET' } }, false],
    [{ i: '1', p: { u: '/app/snapshot?data={}' } }, false],
    [{ i: '1', p: { u: 'http://evil/app/snapshot' } }, false],
    [{ i: '1', p: { u: '/app/snapshot', h: { 'content-disposition': 'x' } } }, false],
    [{ i: '1', p: { u: '/app/snapshot', h: { 'last-event-id': 3 } } }, false],
    [{ i: '1', p: { u: '/app/snapshot', b: 'text' } }, false],
    [{ i: '1', p: { u: '/app/snapshot', x: 1 } }, false],
    [[], false],
    [null, false],
  ])('%j: %s', (message, isIt) => {
    expect(isCall(JSON.stringify(message))).toBe(isIt)
  })

  test.each([[undefined], [1], [{ i: '1', p: { u: '/app/snapshot' } }], [new Uint8Array([123, 125])], ['{'], ['']])(
    'takes text alone, not %j',
    (message) => {
      expect(isCall(message)).toBe(false)
    },
  )

  test('without the gate a broken message becomes an unhandled rejection: the control', async () => {
    const { RPCHandler } = await import('@orpc/server/message-port')
    const before = thrown.length
    for (const isGated of [true, false]) {
      let hear: (event: { data: unknown }) => void = () => {}
      const port: PagePort = {
        on(event: string, listener: (event: never) => void) {
          if (event === 'message') hear = listener as never
        },
        postMessage() {},
        start() {},
        close() {},
      }
      const handler = new RPCHandler(rig.core.router, {})
      handler.upgrade(isGated ? gated(port, () => {}) : (port as never), { context: {} })
      hear({ data: '{"i":"1","p":{}}' })
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      expect(thrown.length - before).toBe(isGated ? 0 : 1)
    }
    thrown.length = before
  })
})
