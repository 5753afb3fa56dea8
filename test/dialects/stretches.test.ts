/** Long bodies are looked through in stretches: the same is found, and everything else has its turn in between. */
import { describe, expect, test } from 'vitest'
import { bytesOf, oneByteText } from '../../src/main/dialects/json.ts'
import { scanBody, scanFields } from '../../src/main/dialects/scan.ts'
import { inStretches, shortPieces, stretchBytes } from '../../src/main/dialects/stretches.ts'
import { joined } from '../../src/main/domain/bytes.ts'

const wanted = new Set(['model', 'stream'])
const never = () => Promise.reject(new Error('a short body gives way to nothing'))

/** Some 1.5 MB, the wanted fields at both ends. */
const long = bytesOf(
  JSON.stringify({ model: 'a', messages: Array.from({ length: 6_000 }, (_, n) => `é"${n}"`.repeat(30)), stream: true }),
)

describe('a long body', () => {
  test.each([
    ['in one piece', [long]],
    ['in three', [long.subarray(0, 101), long.subarray(101, 900_001), long.subarray(900_001)]],
    ['in pieces of a kilobyte', Array.from({ length: Math.ceil(long.length / 1_024) }, (_, n) => piece(n))],
  ])('%s: the same is found as at once, and others have their turn meanwhile', async (_name, pieces) => {
    let turns = 0
    const found = await scanBody(pieces, wanted, async () => {
      turns += 1
    })
    expect(found).toEqual(scanFields([long], wanted))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(long.length / (2 * stretchBytes)))
  })

  test('what is wrong with it is found too', async () => {
    const twice = joined([bytesOf('{"model":1,'), long.subarray(1)])
    const found = await scanBody([twice], wanted, async () => {})
    expect(found).toEqual({ kind: 'duplicate', field: 'model' })
    const cut = await scanBody([long.subarray(0, -1)], wanted, async () => {})
    expect(cut).toEqual({ kind: 'not-json', why: 'it ends too early' })
  })
})

test('a bare array is text by the character as a Buffer is, alike where it is ASCII', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  const [bare, quick] = [oneByteText(bytes, 0, 256), oneByteText(Buffer.from(bytes), 0, 256)]
  expect([bare.length, quick.length, bare.slice(0, 128)]).toEqual([256, 256, quick.slice(0, 128)])
  expect(oneByteText(bytes, 65, 67)).toBe('AB')
})

test('a short one is read at once, without a promise', () => {
  expect(scanBody([bytesOf('{"model":"a"}')], wanted, never)).toMatchObject({ kind: 'scan' })
})

test('short pieces are the same bytes, each a view', () => {
  const short = shortPieces([long, bytesOf('x')])
  expect(Math.max(...short.map(({ length }) => length))).toBeLessThanOrEqual(stretchBytes)
  expect(short.every(({ buffer }, at) => at === short.length - 1 || buffer === long.buffer)).toBe(true)
  expect(Buffer.compare(joined(short), joined([long, bytesOf('x')]))).toBe(0)
})

test('between two turns of the others no more is done than a stretch and its last step', async () => {
  const step = 50_000
  let since = 0
  let most = 0
  function* steps(): Generator<number, string, undefined> {
    for (let n = 0; n < 40; n += 1) {
      since += step
      most = Math.max(most, since)
      yield step
    }
    return 'done'
  }
  const result = await inStretches(steps(), async () => {
    since = 0
  })
  expect([result, most <= stretchBytes + step]).toEqual(['done', true])
})

function piece(n: number): Uint8Array {
  return long.subarray(n * 1_024, (n + 1) * 1_024)
}
