/** The structural scan agrees with JSON.parse on every body, however its bytes are split, and edits nothing but its field. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setFields } from '../../src/main/dialects/edit.ts'
import { isCutShort, type Scan, scanFields, slicePieces } from '../../src/main/dialects/scan.ts'

const wanted = new Set(['model', 'stream', 'metadata', 'service_tier'])
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString('utf8')
const scan = (body: string): Scan => {
  const found = scanFields([bytes(body)], wanted)
  if (found.kind !== 'scan') throw new Error(`${found.kind}: ${body}`)
  return found
}
const valuesOf = (found: ReturnType<typeof scanFields>): unknown =>
  found.kind === 'scan' ? Object.fromEntries([...found.fields].map(([name, field]) => [name, field.value])) : found

/** Objects whose keys are often the wanted ones, at every depth. */
const key = fc.oneof(
  fc.constantFrom('model', 'stream', 'metadata', 'service_tier', 'tools', 'mod"el', '__proto_'),
  fc.string({ maxLength: 8, unit: 'binary' }),
)
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
})).value
const object = fc.dictionary(key, value, { maxKeys: 8 })
const indent = fc.constantFrom(undefined, 1, '\t')

describe('property', () => {
  test('the fields are those that JSON.parse finds at the top', () => {
    fc.assert(
      fc.property(object, indent, (body, space) => {
        const json = JSON.stringify(body, null, space)
        const parsed = JSON.parse(json) as Record<string, unknown>
        const expected = Object.fromEntries(Object.entries(parsed).filter(([name]) => wanted.has(name)))
        expect(valuesOf(scanFields([bytes(json)], wanted))).toEqual(expected)
        expect(valuesOf(scanFields([Buffer.from(json)], wanted))).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a body split anywhere is read the same', () => {
    fc.assert(
      fc.property(object, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (body, cuts) => {
        const whole = bytes(JSON.stringify(body))
        const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b)
        const pieces = [0, ...at].map((from, index) => whole.subarray(from, at[index] ?? whole.length))
        expect(scanFields(pieces, wanted)).toEqual(scanFields([whole], wanted))
      }),
      { numRuns: 1_000 },
    )
  })

  test('an edit changes its field and no other byte', () => {
    fc.assert(
      fc.property(object, fc.string(), indent, (body, model, space) => {
        const json = JSON.stringify(body, null, space)
        const found = scan(json)
        const edited = text(setFields([bytes(json)], found, new Map([['model', model]])))
        expect(JSON.parse(edited)).toEqual({ ...JSON.parse(json), model })
        const field = found.fields.get('model')
        if (field === undefined) {
          const rest = edited.replace(`"model":${JSON.stringify(model)}`, '').replace(/^\{,/, '{')
          expect(rest).toBe(json)
        } else {
          const whole = Buffer.from(json)
          const start = whole.subarray(0, field.span.start).toString()
          const end = whole.subarray(field.span.end).toString()
          expect(edited).toBe(start + JSON.stringify(model) + end)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('whatever the bytes, it never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        expect(['scan', 'duplicate', 'not-json']).toContain(scanFields([body], wanted).kind)
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', 'm', '1', 'model'),
          maxLength: 40,
        }),
        (body) => {
          const found = scanFields([bytes(`{"model":${body}`)], wanted)
          // What it takes for an object must at least give the value that JSON.parse gives, where JSON.parse gives one.
          try {
            const parsed = JSON.parse(`{"model":${body}`) as Record<string, unknown>
            if (found.kind === 'scan') expect(found.fields.get('model')?.value).toEqual(parsed.model)
          } catch {
            expect(['scan', 'duplicate', 'not-json']).toContain(found.kind)
          }
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('a mixed body split at every byte is read the same', () => {
    const body = bytes(
      '{"a\\"b":"\\\\\\"","mod\\u0065l":"gpt-\u00e9\ud83d\ude00 \\ud83d\\ude00","tools":[{"model":"x","stream":[{"model":1}]}],"stream": true ,"x":{"metadata":{}}}',
    )
    const expected = scanFields([body], wanted)
    expect(valuesOf(expected)).toEqual({ model: 'gpt-é😀 😀', stream: true })
    for (let at = 0; at <= body.length; at += 1) {
      expect(scanFields([body.subarray(0, at), body.subarray(at)], wanted)).toEqual(expected)
    }
    expect(
      scanFields(
        [...body].map((byte) => Uint8Array.of(byte)),
        wanted,
      ),
    ).toEqual(expected)
  })
})

test('a long body in one piece is read the same wherever a field lies', () => {
  const field = '"mod\\u0065l":"späte \\"Übung\\\\","stream":true'
  const wrong: number[] = []
  for (let filler = 65_536 - 60; filler < 65_536 + 10; filler += 1) {
    const body = `{"text":"${'\\"'.repeat(filler >> 1)}${'x'.repeat(filler & 1)}",${field}}`
    for (const piece of [bytes(body), Buffer.from(body)]) {
      const found = valuesOf(scanFields([piece], wanted)) as Record<string, unknown>
      if (found.model !== 'späte "Übung\\' || found.stream !== true) wrong.push(filler)
    }
  }
  expect(wrong).toEqual([])
})

describe('rows', () => {
  const rows: readonly (readonly [string, string, unknown])[] = [
    ['a nested model is not taken', '{"tools":[{"model":"inner"}],"x":{"model":"y"}}', {}],
    ['an escaped key is decoded', '{"\\u006dodel":"a"}', { model: 'a' }],
    ['a key that only looks escaped is not', '{"\\\\u006dodel":"a"}', {}],
    [
      'the same key in two spellings is a duplicate',
      '{"model":"a","m\\u006fdel":"b"}',
      { kind: 'duplicate', field: 'model' },
    ],
    ['a duplicate of an unwanted key is nobody’s business', '{"x":1,"x":2,"model":"a"}', { model: 'a' }],
    ['case counts', '{"Model":"a","MODEL":"b"}', {}],
    [
      'a value may be of any type',
      '{"model":{"a":[1]},"stream":null,"metadata":"x","service_tier":1e3}',
      { model: { a: [1] }, stream: null, metadata: 'x', service_tier: 1000 },
    ],
    ['white space is allowed everywhere', ' \r\n\t{ "model" : "a" } \n', { model: 'a' }],
    ['an empty object', '{}', {}],
    ['strings hold brackets', '{"x":"}]{[,:\\"","model":"a"}', { model: 'a' }],
    ['text behind the object', '{} x', { kind: 'not-json', why: 'text follows the object' }],
    ['two objects', '{}{}', { kind: 'not-json', why: 'text follows the object' }],
    ['an array', '[{"model":1}]', { kind: 'not-json', why: 'it is not an object' }],
    ['a string', '"model"', { kind: 'not-json', why: 'it is not an object' }],
    ['nothing', '', { kind: 'not-json', why: 'it is empty' }],
    ['only white space', ' \n', { kind: 'not-json', why: 'it is empty' }],
    ['a wanted value that is malformed', '{"model":tru}', { kind: 'not-json', why: 'model is malformed' }],
    ['brackets that don’t match', '{"x":[}', { kind: 'not-json', why: 'its brackets do not match' }],
    ['an object that ends too early', '{"model":"a"', { kind: 'not-json', why: 'it ends too early' }],
    ['a string that ends too early', '{"model":"a', { kind: 'not-json', why: 'it ends too early' }],
  ]
  for (const [name, body, expected] of rows) {
    test(name, () => expect(valuesOf(scanFields([bytes(body)], wanted))).toEqual(expected))
  }

  test('nesting has a bound', () => {
    const deep = (depth: number): string => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(scanFields([bytes(deep(500))], wanted).kind).toBe('scan')
    expect(scanFields([bytes(deep(100_000))], wanted)).toEqual({
      kind: 'not-json',
      why: 'it is nested deeper than 512',
    })
  })

  test('a wanted value has a bound, an unwanted one has none', () => {
    const long = 'a'.repeat(300 * 1024)
    expect(scanFields([bytes(`{"metadata":"${long}"}`)], wanted)).toEqual({
      kind: 'not-json',
      why: 'metadata is too long',
    })
    expect(valuesOf(scanFields([bytes(`{"input":"${long}","model":"a"}`)], wanted))).toEqual({ model: 'a' })
  })

  test('several fields are set at once, absent ones right behind the brace', () => {
    const set = (body: string): string =>
      text(
        setFields(
          [bytes(body)],
          scan(body),
          new Map<string, unknown>([
            ['stream', true],
            ['model', 'b'],
          ]),
        ),
      )
    expect(set('{ "x":1, "model" : "a" }')).toBe('{"stream":true, "x":1, "model" :"b"}')
    expect(set('{}')).toBe('{"stream":true,"model":"b"}')
    expect(set(' { }')).toBe(' {"stream":true,"model":"b" }')
  })

  test('a slice is a view on the pieces', () => {
    const pieces = ['abc', '', 'def', 'g'].map(bytes)
    expect([text(slicePieces(pieces, 2, 5)), text(slicePieces(pieces, 0, 7)), slicePieces(pieces, 3, 3)]).toEqual([
      'cde',
      'abcdefg',
      [],
    ])
  })

  test('a body cut short is told from one that is no object', () => {
    expect(['{"a":1}', '{"a":', '{"a":"x', '[', 'x', ''].map((body) => isCutShort([bytes(body)]))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
