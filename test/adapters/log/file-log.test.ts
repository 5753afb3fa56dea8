/** The log takes whatever it is given: it never throws, never grows without bound and never shows a secret (F70). */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { fileLog } from '../../../src/main/adapters/log/file-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (): string => readFileSync(join(folder, 'pointsman.log'), 'utf8')

const secrets = [
  `pk_${'Ab3-_'.repeat(8)}xyz`,
  'sk-ant-oat01-abcdefghijklmnop',
  'rt_0123456789.abcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'Bearer zq-plain-token-91',
]
const inText = fc.tuple(fc.string(), fc.constantFrom(...secrets), fc.string()).map(([a, b, c]) => `${a} ${b} ${c}`)

const ownCause = (): Error => {
  const one: Error & { cause?: unknown } = new Error('round')
  one.cause = Object.assign(new Error('and round'), { cause: one })
  return one
}
const unreadable = (name: string): Error =>
  Object.defineProperty(new Error('x'), name, {
    get() {
      throw new Error('no')
    },
  })

/** As HTTP clients throw them: with everything that was sent hanging on the error. */
const carrying = inText.map((text) =>
  Object.assign(new Error(text, { cause: new TypeError(text) }), {
    code: 'ECONNRESET',
    config: { headers: { authorization: text }, data: Buffer.from(text) },
    response: { body: text },
  }),
)
const anything = fc.oneof(
  carrying,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
  fc.constantFrom('name', 'message', 'stack', 'code', 'cause').map(unreadable),
  fc.constant(null).map(ownCause),
  fc.constant(Symbol('x')),
  fc.uint8Array().map((bytes) => new Error(Buffer.from(bytes).toString('latin1'))),
)

test('F70 whatever is thrown is one line of JSON without a secret, and the log never throws', () => {
  const log = fileLog(folder)
  let lines = 0
  fc.assert(
    fc.property(anything, inText, (cause, text) => {
      expect(log.fault('odd', cause)).toMatch(/^[0-9a-f]{12}$/)
      log.info('odd', { text, none: null, count: 1 })
      lines += 2
    }),
    { numRuns: 1_000 },
  )
  const written = read().trimEnd().split('\n')
  expect(written.length).toBe(lines)
  for (const line of written) expect(typeof JSON.parse(line)).toBe('object')
  for (const secret of secrets) expect(read()).not.toContain(secret.replace('Bearer ', ''))
})

test('F70 ten megabytes of text are cut between two words, before half a secret can show', () => {
  const log = fileLog(folder)
  const before = statSync(join(folder, 'pointsman.log')).size
  for (const long of [
    'eyJ'.repeat(3_500_000),
    `${'word '.repeat(1_637)}${secrets[3]} end`,
    'Bearer '.repeat(1_500_000),
  ]) {
    log.info('long', { long })
    log.fault('long', new Error(long))
  }
  const added = read().slice(before)
  expect(added.length).toBeLessThan(64 * 1024)
  expect(added).not.toContain('eyJhbGciOiJIUzI1NiJ9')
})

test('F70 a folder that is gone stops nobody', () => {
  const log = fileLog(join(folder, 'gone', 'further'))
  expect(log.fault('x', new Error('x'))).toMatch(/^[0-9a-f]{12}$/)
  log.info('x')
})

test('F70 the log keeps one older part and no more than about ten megabytes', () => {
  const log = fileLog(folder)
  for (let line = 0; line < 3_000; line += 1) log.info('fill', { text: 'a word '.repeat(800) })
  const sizes = ['pointsman.log', 'pointsman.log.old'].map((name) => statSync(join(folder, name)).size)
  expect(sizes.every((size) => size > 0 && size < 5.1 * 1024 * 1024)).toBe(true)
})
