/** What stands in `sdk-requests.ts` and `sdk-answers.ts`, held to the vendors' types by the compiler, is what really goes out. */
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import { type Any, request, stream, type TaskChange } from './kit.ts'
import * as answers from './sdk-answers.ts'
import { asked, upstreamEvents } from './sdk-asks.ts'
import * as requests from './sdk-requests.ts'

const able: Readonly<Record<Dialect, TaskChange['abilities']>> = {
  messages: { thinking: 'budget', cacheMarks: true, webSearch: true },
  responses: { webSearch: true, cacheBreakpoints: true },
  chat: {},
}
const sent = (from: Dialect, to: Dialect): Any => request(from, to, asked[from], { abilities: able[to] ?? {} })

describe('requests', () => {
  test.each([
    ['chat', 'messages', requests.messagesRequest],
    ['messages', 'responses', requests.responsesRequest],
    ['responses', 'chat', requests.chatRequest],
  ] as const)('from %s to %s', (from, to, expected) => {
    expect(sent(from, to).body).toEqual(expected)
  })
})

describe('answers', () => {
  test.each([
    ['messages', 'responses', answers.messagesEvents, answers.messagesAnswer],
    ['responses', 'messages', answers.responsesEvents, answers.responsesAnswer],
    ['chat', 'messages', answers.chatEvents, answers.chatAnswer],
  ] as const)('for %s clients from %s', (client, upstream, events, whole) => {
    const echo = client === 'responses' ? sent('responses', 'chat').context.echo : {}
    const made = stream(upstream, client, upstreamEvents[upstream], { echo })
    expect([made.events, made.whole]).toEqual([events, whole])
  })
})
