// What takes away each rule of `docs/translation.md`: failures, aborts and keep-alive.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-failures.test.ts'
const relayTests = 'test/flow/translated-relay.test.ts'
const programTests = 'test/program/translated.test.ts'
const failureTests = 'test/providers/failures.test.ts'

const hearMessages = 'src/main/translate/decode-messages-events.ts'
const hearResponses = 'src/main/translate/decode-responses-events.ts'
const hearChat = 'src/main/translate/decode-chat-events.ts'
const tellMessages = 'src/main/translate/encode-messages-events.ts'
const tellResponses = 'src/main/translate/encode-responses-events.ts'
const tellChat = 'src/main/translate/encode-chat-events.ts'
const answer = 'src/main/translate/translate-answer.ts'
const relay = 'src/main/flow/translated-relay.ts'
const sendOut = 'src/main/flow/send-out.ts'
const reading = 'src/main/providers/read-failure.ts'

const messagesError =
  "case 'error':\n        this.#over = true\n        this.#emit({ kind: 'fail', failure: failureIn(0, data) })"
const chatError = "this.#over = true\n      this.#emit({ kind: 'fail', failure: failureIn(0, data) })\n      return"
const messagesFail = "return frame('error', failureBody('messages', event.failure))"
const watch = "io.gone.addEventListener('abort', incoming.abort)"
const atEnd = "if (this.#over) return\n    this.#over = true\n    this.#emit({ kind: 'fail', failure: cutShort })"

export const failures = [
  ...bug('Pasta-Devs/Marinara-Engine#2659', tests, hearMessages, {
    'an error read over': [messagesError, "case 'error':"],
    'an error as the end of the answer': [messagesError, "case 'error':\n        this.#finish()"],
  }),
  ...bug('BerriAI/litellm#20347', tests, hearChat, {
    'an error of Chat that ends it quietly': [chatError, 'this.#over = true\n      return'],
    'an error of Chat read over': [chatError, 'return'],
  }),
  ...bug('BerriAI/litellm#20347', tests, hearResponses, {
    'a failed answer read over': ["case 'response.failed':\n", ''],
    'an error event read over': ["      case 'error':\n", ''],
    'a failed answer in a completed event': [
      "if (status === 'failed' || status === 'cancelled') {",
      'if (status === null) {',
    ],
  }),
  ...bug('BerriAI/litellm#20347', tests, tellMessages, {
    'a failure that is not told': [messagesFail, "return ''"],
  }),
  ...bug('NVIDIA/TensorRT-LLM#18289', tests, hearChat, {
    'any end of Chat': ['if (this.#stop !== null) {\n      this.#finish()', 'if (!this.#over) {\n      this.#finish()'],
    'a failure although [DONE] came': ['if (!this.#over) this.#finish()', ''],
    'a failure although a reason came': ['if (this.#stop !== null) {\n      this.#finish()\n      return\n    }\n', ''],
  }),
  ...bug('NVIDIA/TensorRT-LLM#18289', tests, hearMessages, {
    'any end of Messages': [atEnd, 'if (this.#over) return\n    this.#finish()'],
  }),
  ...bug('NVIDIA/TensorRT-LLM#18289', tests, hearResponses, {
    'any end of Responses': [atEnd, "if (this.#over) return\n    this.#terminal('response.completed', {})"],
  }),
  ...bug('dativo-io/talon#254', tests, tellResponses, {
    'no terminal for Responses': ['return this.#failed(event.failure)', "return ''"],
    'a bare error event for Responses': [
      'return this.#failed(event.failure)',
      "return this.#event('error', failureBody('responses', event.failure).error)",
    ],
  }),
  ...bug('dativo-io/talon#254', tests, tellMessages, {
    'no terminal for Messages': [messagesFail, "return ''"],
  }),
  ...bug('dativo-io/talon#254', tests, tellChat, {
    'no terminal for Chat': ["return chunk(failureBody('chat', event.failure))", "return ''"],
    'a good end for Chat': ["return chunk(failureBody('chat', event.failure))", "return this.#finish('end')"],
  }),
  ...bug('dativo-io/talon#254', tests, answer, {
    'nothing for an upstream that breaks off': ["this.#cutter.pass({ kind: 'fail', failure }))", 'failure)'],
  }),
  ...bug('BerriAI/litellm#41826', tests, tellMessages, {
    'an error frame of Chat': [
      messagesFail,
      "return 'data: ' + JSON.stringify(failureBody('chat', event.failure)) + '\\n\\n'",
    ],
    'an error frame without its name': [
      messagesFail,
      "return 'data: ' + JSON.stringify(failureBody('messages', event.failure)) + '\\n\\n'",
    ],
  }),
  ...bug('BerriAI/litellm#41826', tests, 'src/main/translate/failure.ts', {
    'one envelope for all': ["if (client !== 'messages') {", 'if (client) {'],
  }),
  ...bug('bman654/clodex#170', programTests, relay, {
    'an upstream that runs on in mid-stream': [
      'this.#opened.incoming.abort()\n    if (this.#settled) return',
      'if (this.#settled) return',
    ],
  }),
  ...bug('bman654/clodex#170', programTests, 'src/main/flow/70-relay.ts', {
    'an upstream of the same dialect that runs on': [
      "this.#incoming.abort()\n    this.#settle('client-left'",
      "this.#settle('client-left'",
    ],
  }),
  ...bug('bman654/clodex#170', programTests, sendOut, {
    'a count that runs on': [
      watch,
      "if (!request.path.includes('input_tokens')) io.gone.addEventListener('abort', incoming.abort)",
    ],
  }),
  ...bug('BerriAI/litellm#37140', programTests, sendOut, {
    'a call without a stream that runs on': [
      watch,
      "if (request.headers.includes('text/event-stream')) io.gone.addEventListener('abort', incoming.abort)",
    ],
  }),
  ...bug('BerriAI/litellm#37140', relayTests, relay, {
    'an answer without a stream that runs on': [
      "this.#io.gone.addEventListener('abort'",
      "if (this.#call.stream) this.#io.gone.addEventListener('abort'",
    ],
  }),
  ...bug('BerriAI/litellm#31499', programTests, sendOut, {
    'a client watched only from the first token on': [watch, `void incoming.arrival.then(() => ${watch})`],
  }),
  ...bug('Wei-Shaw/sub2api#1707', relayTests, relay, {
    'an upstream without end': ['nowAt - this.#heardAt > idleMs && !this.#waiting', 'nowAt < 0'],
    'an upstream that pings as one that lives': [
      '    if (this.#isEvents) {\n      this.#send(this.#answer.push(bytes))',
      '    this.#heardAt = this.#deps.clock.elapsedMs()\n    if (this.#isEvents) {\n      this.#send(this.#answer.push(bytes))',
    ],
    'no upstream that goes on': ['if (this.#answer.heard !== this.#heard) {', 'if (this.#heard < 0) {'],
  }),
  ...bug('Wei-Shaw/sub2api#1707', tests, answer, {
    'a ping as an event': [
      '    const value = objectIn(parsed(data))\n    if (value === null) this',
      '    this.heard += 1\n    const value = objectIn(parsed(data))\n    if (value === null) this',
    ],
  }),
  ...bug('BerriAI/litellm#36024', relayTests, relay, {
    'silence of a minute': ['const heartbeatMs = 15_000', 'const heartbeatMs = 60_000'],
    'silence before the first event': ['this.#beat()\n      this.#take', 'this.#take'],
    'silence after the first comment': [
      '    this.#beat()\n    if (this.#io.write(bytes)',
      '    if (this.#io.write(bytes)',
    ],
  }),
  ...bug('BerriAI/litellm#36024', tests, answer, {
    'nothing to Messages clients but comments': ["this.#context.client === 'messages' && this.#started", 'false'],
    'a ping to everybody': ["this.#context.client === 'messages' && this.#started", 'this.#started'],
    'signs of life after the end': ["if (this.over) return ''\n    const isMessages", 'const isMessages'],
  }),
  ...bug('tombii/better-ccflare#236', failureTests, reading, {
    'a 529 as any server error': [
      "    case 529:\n      return { kind: 'overloaded' }",
      "      return { kind: 'overloaded' }",
    ],
    'a 503 as any server error': ['    case 503:\n    case 529:\n', '    case 529:\n'],
    'a page as any server error': ["if (status === 503 || status === 529) return { kind: 'overloaded' }\n", ''],
  }),
  ...bug('tombii/better-ccflare#236', failureTests, 'src/main/providers/failure-words.ts', {
    'the word of it under another number': ["  ['overloaded_error', overloaded],\n", ''],
  }),
  ...bug('tombii/better-ccflare#236', failureTests, 'src/main/domain/verdict.ts', {
    'an overloaded host that doesn’t rest': [
      "return verdict('next', 'overloaded', sentence, { effect: { kind: 'host-rests', sentence } })",
      "return verdict('next', 'overloaded', sentence)",
    ],
    'an overload passed on': ["verdict('next', 'overloaded'", "verdict('return', 'overloaded'"],
  }),
]
