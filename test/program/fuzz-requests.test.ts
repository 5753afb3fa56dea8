/** Broken requests in small; `npm run test:deep` sends 100,000. */
import { expect, test } from 'vitest'
import { fuzzRequests } from './fuzz-requests.ts'
import { readAnswers } from './read-answers.ts'

test('2,000 broken requests: each connection ends, all that comes back is HTTP, all that goes on is sound', async () => {
  const figures = await fuzzRequests(2_000, 500_000)
  expect(figures.wrong).toEqual([])
  expect(figures.inputs).toBe(2_000)
  expect(Math.min(figures.refused, figures.served, figures.upstreamRequests)).toBeGreaterThan(100)
})

test.each([
  ['nothing', '', []],
  ['one answer', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', [200]],
  [
    'two answers',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    [100, 200],
  ],
  ['a cut answer', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\nok', [200]],
  ['a line behind an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nnoise', null],
  ['a wrong chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxx\r\n', null],
  ['another protocol', 'SSH-2.0\r\n', null],
])('the reader of answers knows %s', (_, text, statuses) => {
  expect(readAnswers(text)).toEqual(statuses)
})
