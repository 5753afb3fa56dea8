/** Hosts that mean harm: redirects, decompression bombs, answers smuggled behind answers (T6.1, T6.2, T6.4). */
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { message } from './asks.ts'
import { openRawUpstream } from './raw-upstream.ts'
import { type Rig, startRig } from './start-core.ts'
import { type Through, throughOf } from './through.ts'

let rig: Rig
let through: Through
beforeAll(async () => {
  rig = await startRig({ sources: ['anthropic-key'] })
  through = throughOf(rig)
})
afterAll(() => rig.close())

describe('T6.1 a redirect is never followed and never passed on', () => {
  test('the control: an answer that is none is passed on', async () => {
    const { answer } = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {})
    expect([answer.status, answer.end]).toEqual([200, 'whole'])
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status}`, async () => {
      let reached = 0
      const trap = createServer((socket) => {
        reached += 1
        socket.destroy()
      })
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
      const port = (trap.address() as { port: number }).port
      const { answer } = await through('anthropic-key', '/anthropic-key/v1/messages', message(), {
        reply: { kind: 'redirect', status, location: `http://127.0.0.1:${port}/v1/messages` },
      })
      trap.close()
      expect([answer.status, answer.headers.location, answer.headers['x-pointsman-error'], reached]).toEqual([
        502,
        undefined,
        'upstream_redirected',
        0,
      ])
    })
  }
})

describe('T6.2 F18 a decompression bomb passes as the bytes it is', () => {
  const headers = (encoding: string): readonly string[] => [
    'content-type',
    'text/event-stream',
    'content-encoding',
    encoding,
  ]
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20))
  for (const [name, encoding, body] of [
    ['200 MiB in 200 KB', 'gzip', bomb],
    ['a chain of encodings', 'gzip, gzip', gzipSync(bomb)],
    ['a chain of a thousand', Array(1_000).fill('gzip').join(', '), bomb.subarray(0, 5_000)],
    ['an unknown encoding', 'compress', bomb.subarray(0, 5_000)],
  ] as const) {
    test(name, async () => {
      global.gc?.()
      const before = process.memoryUsage.rss()
      const { answer, detail } = await through(
        'anthropic-key',
        '/anthropic-key/v1/messages',
        message({ stream: true }),
        {
          reply: { kind: 'status', status: 200, headers: headers(encoding), body },
        },
      )
      expect([answer.status, answer.body.equals(body), answer.end]).toEqual([200, true, 'whole'])
      expect([detail.call.outcome, detail.call.usage]).toEqual(['done', null])
      expect(process.memoryUsage.rss() - before).toBeLessThan(80 * 1024 * 1024)
    })
  }
})

test('T6.4 bytes behind an answer never become the next request’s answer', async () => {
  const evil = '{"type":"message","content":"STOLEN"}'
  const second = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${evil.length}\r\n\r\n${evil}`
  const host = await openRawUpstream((socket, request) => {
    const mark = /mark-(\d+)/.exec(request)?.[1] ?? '?'
    const body = `{"mark":"${mark}"}`
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}${second}`,
    )
  })
  await rig.add('anthropic-key', { baseUrl: `http://127.0.0.1:${host.port}` })
  let wrong = 0
  let right = 0
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const mark = round * 20 + index
        const answer = await rig.call('/anthropic-key/v1/messages', message({ metadata: { x: `mark-${mark}` } }))
        if (answer.text.includes('STOLEN')) wrong += 1
        if (answer.text === `{"mark":"${mark}"}`) right += 1
      }),
    )
  }
  await host.close()
  expect([wrong, right]).toEqual([0, 1_000])
})
