// What takes away each rule of `docs/translation.md`, 6.1 to 6.3: the events of each dialect's streams.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-streams.test.ts'

const answer = 'src/main/translate/translate-answer.ts'
const fromChat = 'src/main/translate/decode-chat-events.ts'
const fromResponses = 'src/main/translate/decode-responses-events.ts'
const toMessages = 'src/main/translate/encode-messages-events.ts'

// The second net under a decoder that forgets the beginning, and under one that lets an empty text through.
const noBeginning = [
  "if (!this.#started && event.kind !== 'start' && event.kind !== 'fail') this.#begin()",
  "if (event.kind === 'finish' && !this.#started) this.#begin()",
  answer,
]
const emptyDelta = ["block === undefined || text === ''", 'block === undefined', toMessages]

const messagesOrder = [
  ...bug('router-for-me/CLIProxyAPI#561', tests, fromChat, {
    'a call before message_start': [['this.#start()\n    const usage', 'const usage'], noBeginning],
  }),
  ...bug('router-for-me/CLIProxyAPI#561', tests, fromResponses, {
    'a call, announced at once, before message_start': [
      ['#added(data: JsonObject): void {\n    this.#start()', '#added(data: JsonObject): void {'],
      ['this.#start()\n    this.#calls += 1', 'this.#calls += 1'],
      noBeginning,
    ],
    'a text before message_start': [
      ["if (text === '' || piece.closed) return\n    this.#start()", "if (text === '' || piece.closed) return"],
      noBeginning,
    ],
  }),
  ...bug('BerriAI/litellm#31561', tests, fromChat, {
    'an empty text block': [
      "if (text === '') return\n    if (this.#speech",
      "if (text === '' && part !== 'text') return\n    if (this.#speech",
    ],
    'an empty delta of a call': [["if (text === '') return\n    if (slot.opened)", 'if (slot.opened)'], emptyDelta],
  }),
  ...bug('BerriAI/litellm#31561', tests, fromResponses, {
    'an empty text block out of Responses': ["if (text === '' || piece.closed) return", 'if (piece.closed) return'],
    'an empty delta of a call out of Responses': [
      ["if (text === '' || piece.closed) return", "if ((text === '' && piece.kind !== 'call') || piece.closed) return"],
      emptyDelta,
    ],
  }),
  ...bug('sgl-project/sglang#24293', tests, toMessages, {
    'a text_delta with the index of the call that is open': [
      'if (this.#isCurrent(block)) return this.#deltaOf(block, text)',
      'if (block.index >= this.#current) return this.#deltaOf({ ...block, index: this.#current }, text)',
    ],
  }),
  ...bug('musistudio/claude-code-router#1356', tests, fromChat, {
    'text after a call taken for the text before it': ['this.#silence()\n    slot.opened = true', 'slot.opened = true'],
    'text after a call sent to a block that is closed': [
      "this.#emit({ kind: 'close', key: this.#speech.key })\n    this.#speech = null",
      "this.#emit({ kind: 'close', key: this.#speech.key })",
    ],
  }),
  ...bug('ollama/ollama#14816', tests, toMessages, {
    'a call with the index of the thought': [
      'open, index: this.#all.length',
      "open, index: this.#all.filter((one) => one.open.part !== 'thinking').length",
    ],
    'a thought that stays open': [
      'out += this.#stopOf(at)\n',
      "if (at.open.part !== 'thinking') out += this.#stopOf(at)\n",
    ],
  }),
  ...bug('Wei-Shaw/sub2api#2884', tests, toMessages, {
    'a block that opens while another is': [
      "return this.#isCurrent(block) ? this.#startOf(block) : ''",
      'return this.#startOf(block)',
    ],
  }),
  ...bug('danielalves96/claude-code-provider-gateway#2', tests, toMessages, {
    'indices by what is open': ['open, index: this.#all.length', 'open, index: this.#blocks.size'],
  }),
  ...bug('danielalves96/claude-code-provider-gateway#2', tests, fromChat, {
    'a block for each fragment that repeats its id': [
      [' || known.callId === id)', ')'],
      ['this.#slots.find((slot) => slot.index === index && slot.callId === id)', 'undefined'],
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1579', tests, fromChat, {
    'a call that begins without a name': ["if (!slot.opened && slot.name !== '')", 'if (!slot.opened)'],
    'a call that begins with each name': [
      "if (!slot.opened && slot.name !== '')",
      "if (textIn(inner.name) !== null && slot.name !== '')",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1579', tests, fromResponses, {
    'a call out of Responses without a name': ["entry.call !== null || name === ''", 'entry.call !== null'],
    'a call out of Responses that begins again': ["entry.call !== null || name === ''", "name === ''"],
  }),
  ...bug('mozilla-ai/any-llm#1305', tests, fromChat, {
    'arguments that go to the latest call': ['this.#byIndex.get(index)', 'this.#slots.at(-1)'],
  }),
  ...bug('inflaborg/ccrelay#119', tests, toMessages, {
    'a waiting input in content_block_start alone': [
      ['name: open.name, input: {} }', "name: open.name, input: inputObject(block.waiting, null, '') }"],
      ["if (next.waiting !== '') out +=", "if (next.waiting !== '' && next.open.part !== 'call') out +="],
    ],
  }),
  ...bug('inflaborg/ccrelay#119', tests, fromResponses, {
    'a whole call without its input': [
      "this.#complete(piece, textIn(item.arguments) ?? textIn(item.input) ?? '')",
      "this.#complete(piece, '')",
    ],
  }),
  ...bug('inflaborg/ccrelay#119', tests, fromChat, {
    'a whole message’s calls without their input': [
      'objectIn(choice.delta) ?? objectIn(choice.message) ?? {}',
      'objectIn(choice.delta) ?? JSON.parse(JSON.stringify(choice.message ?? {}, (key, value) => (key === "arguments" ? "" : value)))',
    ],
  }),
  ...bug('BerriAI/litellm#29533', tests, fromChat, {
    'thoughts beside a text alone': [
      "this.#say('thinking', thoughtOf(delta))",
      "if (textIn(delta.content)) this.#say('thinking', thoughtOf(delta))",
    ],
    'no thoughts under their second name': [' || textIn(delta.reasoning)', ''],
    'no thoughts in details': ["textIn(objectIn(detail)?.text) ?? textIn(objectIn(detail)?.summary) ?? ''", "''"],
  }),
  ...bug('nielspeter/claude-code-proxy#17', tests, toMessages, {
    'a thought in the field of a text': ["type: 'thinking_delta', thinking: text", "type: 'thinking_delta', text"],
    'a thought without a signature': [
      "const delta = { type: 'signature_delta', signature: block.signature === '' ? unsigned : block.signature }\n      out += frame('content_block_delta', { type: 'content_block_delta', index, delta })",
      '',
    ],
    'a thought that ends after the text': [
      ["return this.#isCurrent(block) ? this.#startOf(block) : ''", 'return this.#startOf(block)'],
      ['if (this.#isCurrent(block)) return', 'if (block !== undefined) return'],
      ['this.#silence()\n      this.#speeches', 'this.#speeches', fromChat],
    ],
  }),
  ...bug('BerriAI/litellm#29491', tests, fromChat, {
    'only fragments that carry an id': [
      'if (slot.opened) this.#emit',
      'if (slot.opened && textIn(call.id) !== null) this.#emit',
    ],
    'only the first fragment of a chunk': [
      'of listIn(delta.tool_calls).entries())',
      'of listIn(delta.tool_calls).slice(0, 1).entries())',
    ],
    'no fragments before the name': ['else slot.early += text', ''],
  }),
  ...bug('BerriAI/litellm#29491', tests, fromResponses, {
    'no fragments out of Responses': ['else this.#say(piece, text)', ''],
    'no fragments before Responses announces the call': [
      'if (piece === undefined) entry.early += text',
      'if (piece === undefined) return',
    ],
  }),
  ...bug('BerriAI/litellm#29491', tests, toMessages, {
    'no fragments while another block is open': ['block.waiting += text', ''],
  }),
  ...bug('router-for-me/CLIProxyAPI#5430', tests, fromChat, {
    'a stream that ends with its first usage': [
      'if (this.#over) return\n    if ((data.error',
      'if (this.#over || this.#usage !== null) return\n    if ((data.error',
    ],
  }),
  ...bug('earendil-works/pi#3708', tests, toMessages, {
    '[DONE] behind message_stop': [
      "return out + frame('message_stop', { type: 'message_stop' })",
      "return out + frame('message_stop', { type: 'message_stop' }) + 'data: [DONE]\\n\\n'",
    ],
    '[DONE] behind an error': [
      "return frame('error', failureBody('messages', event.failure))",
      "return frame('error', failureBody('messages', event.failure)) + 'data: [DONE]\\n\\n'",
    ],
  }),
]

export const streams = messagesOrder
