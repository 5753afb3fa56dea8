/** A translated answer begins with what its client looks for, and with nothing that is another vendor's own. */
import { expect, test } from 'vitest'
import { translatedHeaders } from '../../src/main/flow/translated-head.ts'

const begun = (client: 'messages' | 'responses' | 'chat', ...raw: readonly string[]): readonly string[] =>
  translatedHeaders(raw, client, 'application/json', []).slice(4)

test('the id of a request has the name that its client looks for', () => {
  expect([
    begun('messages', 'X-Request-Id', 'req_1'),
    begun('messages', 'x-oai-request-id', 'req_1'),
    begun('chat', 'request-id', 'req_1'),
    begun('responses', 'request-id', 'req_1', 'x-request-id', 'req_2'),
    begun('chat', 'openai-organization', 'o'),
  ]).toEqual([
    ['request-id', 'req_1'],
    ['request-id', 'req_1'],
    ['x-request-id', 'req_1'],
    ['x-request-id', 'req_1'],
    [],
  ])
})
