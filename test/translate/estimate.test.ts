/** An estimate counts everything that a model reads, names and forms too, and there is always one (bridge §5). */
import { expect, test } from 'vitest'
import { estimateTokens } from '../../src/main/translate/estimate.ts'

const estimate = (body: object): number => estimateTokens(JSON.stringify(body)) ?? 0
const long = 'word '.repeat(1_000)
const asked = (more: object, content: unknown = 'a'): number =>
  estimate({ model: 'm', messages: [{ role: 'user', content }], ...more })

test('what a tool is given counts, whatever its fields are called', () => {
  const use = (input: object): number => asked({}, [{ type: 'tool_use', id: 't', name: 'f', input }])
  for (const name of ['type', 'id', 'role', 'signature', 'text']) expect(use({ [name]: long })).toBeGreaterThan(1_000)
  expect(use({ [long]: 1 })).toBeGreaterThan(1_000)
  expect(use({ type: 'image', at: long })).toBeGreaterThan(1_000)
})
test('so do the names in a schema, and the schema of the answer', () => {
  const schema = { type: 'object', properties: { [long]: { type: 'string' } } }
  expect([
    asked({ tools: [{ name: 'f', input_schema: schema }] }) > 1_000,
    asked({ tools: [{ type: 'function', name: 'f', parameters: schema }] }) > 1_000,
    asked({ output_config: { format: { type: 'json_schema', schema } } }) > 1_000,
    asked({ text: { format: { type: 'json_schema', name: 'o', schema } } }) > 1_000,
  ]).toEqual([true, true, true, true])
})
test('values inside values by the thousand are a number, too', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const body = (inner: string): string => `{"model":"m","messages":[{"role":"user","content":${inner}}]}`
  expect(estimateTokens(body(deep))).toBeGreaterThan(0)
  expect(estimateTokens(body(`[{"type":"tool_use","input":{"a":${deep}}}]`))).toBeGreaterThan(0)
})
