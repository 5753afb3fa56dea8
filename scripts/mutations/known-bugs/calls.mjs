// What takes away each rule of `docs/translation.md`, 6.4 and 6.5: arguments and ids of calls, stop reasons, refusals.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-calls.test.ts'

const answer = 'src/main/translate/translate-answer.ts'
const cutter = 'src/main/translate/cut-at-stop.ts'
const sse = 'src/main/translate/sse.ts'
const input = 'src/main/translate/tool-input.ts'
const fromChat = 'src/main/translate/decode-chat-events.ts'
const fromMessages = 'src/main/translate/decode-messages-events.ts'
const fromResponses = 'src/main/translate/decode-responses-events.ts'
const toChat = 'src/main/translate/encode-chat-events.ts'
const toMessages = 'src/main/translate/encode-messages-events.ts'
const toResponses = 'src/main/translate/encode-responses-events.ts'

const emptyToChat = ["if (part.text.trim() !== '') return ''", "return ''"]
const emptyToResponses = ["if (text.trim() === '' && item.closed === 'completed') out", 'if (item === undefined) out']

const argumentsOfCalls = [
  ...bug('Gitlawb/openclaude#1259', tests, fromResponses, {
    'no arguments out of their own done event': [
      'if (piece !== undefined) this.#complete(piece, full)',
      'if (piece === null) this.#complete(piece, full)',
    ],
    'no arguments out of the item’s done event': [
      'if (piece !== undefined) this.#complete(piece, textIn(item.arguments)',
      'if (piece === null) this.#complete(piece, textIn(item.arguments)',
    ],
    'no free-form input out of its own done event': [
      "textIn(data.arguments) ?? textIn(data.input) ?? ''",
      "textIn(data.arguments) ?? ''",
    ],
    'no free-form input out of the item’s done event': [
      "textIn(item.arguments) ?? textIn(item.input) ?? ''",
      "textIn(item.arguments) ?? ''",
    ],
    'no arguments out of the terminal event': ['of listIn(response.output).entries()', 'of [].entries()'],
    'no end that the deltas left out': ['this.#say(piece, full.slice(piece.sent.length))', "this.#say(piece, '')"],
    'arguments once more with each done event': [
      "if (piece.sent === '') this.#say(piece, full, logprobs)",
      'if (piece !== null) this.#say(piece, full, logprobs)',
    ],
  }),
  ...bug('BerriAI/litellm#5063', tests, toChat, { 'no arguments at all to Chat': emptyToChat }),
  ...bug('BerriAI/litellm#5063', tests, toResponses, { 'no arguments at all to Responses': emptyToResponses }),
  ...bug('agentgateway/agentgateway#3002', tests, input, {
    'a history with empty arguments': ["if (text.trim() === '') return '{}'", "if (text.trim() === '') return text"],
    'a history with an input made of nothing': [
      ["if (text.trim() === '') return {}", ''],
      ["if (text.trim() === '') return '{}'", ''],
    ],
  }),
  ...bug('agentgateway/agentgateway#3002', tests, toChat, {
    'an answer with empty arguments to Chat': [emptyToChat, ["text === '' && whole ? '{}' : text", 'text']],
  }),
  ...bug('agentgateway/agentgateway#3002', tests, toResponses, {
    'an answer with empty arguments to Responses': emptyToResponses,
  }),
  ...bug('MadSkittles/Router-Maestro#162', tests, toMessages, {
    'an input that is no JSON where there is none': [
      "else if (open.part === 'call' && block.text.trim() === '')",
      "else if (open.part === 'redacted')",
    ],
    'an input that is no JSON where it is blank': ["block.text.trim() === ''", "block.text === ''"],
  }),
  ...bug('MadSkittles/Router-Maestro#162', tests, toChat, {
    'blank arguments to Chat': ["part.text.trim() !== ''", "part.text !== ''"],
  }),
  ...bug('MadSkittles/Router-Maestro#162', tests, toResponses, {
    'blank arguments to Responses': ["text.trim() === '' && item", "text === '' && item"],
  }),
  ...bug('MadSkittles/Router-Maestro#162', tests, input, {
    'a whole answer that breaks': [
      "if (text.trim() === '') return {}",
      "if (text.trim() === '') throw new SyntaxError('no JSON')",
    ],
  }),
  ...bug('bigduu/Bamboo-agent#351', tests, input, {
    'what can’t be read as a text': [
      ['return { raw_arguments: text }', 'return text'],
      ['if (value !== undefined) return { value }', 'if (value !== undefined) return value'],
    ],
    'a bare value as it is': ['if (value !== undefined) return { value }', 'if (value !== undefined) return value'],
    'nothing in place of what can’t be read': ['return { raw_arguments: text }', 'return {}'],
    'a spoilt history as it is': [
      'return objectIn(parsed(text)) === null ? JSON.stringify(inputObject(text, losses, path)) : text',
      'return text',
    ],
  }),
  ...bug('langchain4j/langchain4j#4544', tests, fromChat, {
    'ids put together': [
      ['callId: id,\n', "callId: '',\n"],
      ["if (slot.callId === '') slot.callId = textIn(call.id) ?? ''", "slot.callId += textIn(call.id) ?? ''"],
      [' || known.callId === id)', ' || known.callId.startsWith(id))'],
    ],
    'an id taken back by an empty one': [
      "if (slot.callId === '') slot.callId = textIn(call.id) ?? ''",
      'slot.callId = textIn(call.id) ?? slot.callId',
    ],
  }),
  ...bug('decolua/9router#3416', tests, sse, {
    'letters that a border of the network halves': [
      'this.#decoder.decode(bytes, { stream: true })',
      'this.#decoder.decode(bytes)',
    ],
  }),
  ...bug('decolua/9router#3416', tests, fromMessages, {
    'fragments of Messages without the spaces around them': [
      "textIn(delta.partial_json) ?? ''",
      "(textIn(delta.partial_json) ?? '').trim()",
    ],
  }),
  ...bug('decolua/9router#3416', tests, fromResponses, {
    'fragments of Responses without the spaces around them': [
      "this.#argument(this.#entry(data), textIn(data.delta) ?? '')",
      "this.#argument(this.#entry(data), (textIn(data.delta) ?? '').trim())",
    ],
  }),
  ...bug('decolua/9router#3416', tests, fromChat, {
    'fragments of Chat without the spaces around them': [
      "typeof given === 'string' ? given :",
      "typeof given === 'string' ? given.trim() :",
    ],
  }),
  ...bug('QwenLM/Qwen-Agent#943', tests, fromChat, {
    'a fragment without an id to the latest call': [
      'index === null ? this.#slots.findLast',
      "index === null || id === '' ? this.#slots.findLast",
    ],
    'a fragment without an index to the latest call': ["id === '' || slot.callId === id)", 'slot.callId !== null)'],
    'a new id under an old index as the same call': [
      "&& (id === '' || known.callId === '' || known.callId === id)) return known",
      ') return known',
    ],
  }),
]

const stops = [
  ...bug('weave-os/router#250', tests, fromChat, {
    'a call that ends the turn': [
      "calls.length > 0 && said !== 'refusal'\n            ? 'calls'",
      "calls.length < 0\n            ? 'calls'",
    ],
    'a call without a finish reason that ends the turn': [
      "calls.length > 0 && said !== 'refusal'",
      "calls.length > 0 && this.#stop !== null && said !== 'refusal'",
    ],
    'a call that goes before a refusal': ["calls.length > 0 && said !== 'refusal'", 'calls.length > 0'],
    'a call that goes before the limit': [
      "said === 'length'\n        ? 'length'",
      "said === 'length' && calls.length === 0\n        ? 'length'",
    ],
    'tool_use without a call': ["const plain = said === 'calls' ? 'end' : said", 'const plain = said'],
  }),
  ...bug('weave-os/router#250', tests, fromResponses, {
    'a call out of Responses that ends the turn': ["this.#calls > 0 ? 'calls' : 'end'", "'end'"],
  }),
  ...bug('weave-os/router#250', tests, cutter, {
    'a stop sequence that goes before a call': ["this.#called ? 'calls' : 'sequence'", "'sequence'"],
  }),
  ...bug('BerriAI/litellm#34692', tests, fromChat, {
    'a call that ends the turn': [
      "calls.length > 0 && said !== 'refusal'\n            ? 'calls'",
      "calls.length < 0\n            ? 'calls'",
    ],
    'an empty text block': [
      "if (text === '') return\n    if (this.#speech",
      "if (text === '' && part !== 'text') return\n    if (this.#speech",
    ],
    'no arguments that are an object': ["objectIn(given) === null ? '' : JSON.stringify(given)", "''"],
  }),
  ...bug('pgEdge/pgedge-postgres-mcp#217', tests, toMessages, {
    'end_turn behind a call': ["calls: 'tool_use'", "calls: 'end_turn'"],
  }),
  ...bug('pgEdge/pgedge-postgres-mcp#217', tests, fromChat, {
    'tool_calls as a plain end': [
      ["tool_calls: 'calls'", "tool_calls: 'end'"],
      [
        "calls.length > 0 && said !== 'refusal'\n            ? 'calls'",
        "calls.length > 0 && said === 'calls'\n            ? 'calls'",
      ],
    ],
    'function_call as a plain end': [
      ["function_call: 'calls'", "function_call: 'end'"],
      [
        "calls.length > 0 && said !== 'refusal'\n            ? 'calls'",
        "calls.length > 0 && said === 'calls'\n            ? 'calls'",
      ],
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#4958', tests, fromMessages, {
    'a refusal as a plain end': ["refusal: 'refusal'", "refusal: 'end'"],
  }),
  ...bug('router-for-me/CLIProxyAPI#4958', tests, toChat, {
    'a refusal as stop': ["refusal: 'content_filter'", "refusal: 'stop'"],
    'a refusal as plain text': ["refusal: 'refusal', thinking", "refusal: 'content', thinking"],
  }),
  ...bug('router-for-me/CLIProxyAPI#4958', tests, answer, {
    'a refusal without a word': [
      "if (event.kind === 'finish' && event.stop === 'refusal' && !this.#spoke) this.#refuse()",
      '',
    ],
    'words of ours behind its own': ["event.stop === 'refusal' && !this.#spoke)", "event.stop === 'refusal')"],
  }),
  ...bug('BerriAI/litellm#40857', tests, fromChat, {
    'content_filter as a plain end': ["content_filter: 'refusal'", "content_filter: 'end'"],
  }),
  ...bug('BerriAI/litellm#40857', tests, fromResponses, {
    'content_filter of Responses as a plain end': ["if (reason === 'content_filter') return 'refusal'", ''],
  }),
  ...bug('BerriAI/litellm#40857', tests, toMessages, {
    'end_turn behind a filter': ["refusal: 'refusal'", "refusal: 'end_turn'"],
  }),
  ...bug('BerriAI/litellm#39723', tests, fromChat, {
    'a refusal without its text': [
      ["this.#say('refusal', refusal)", ''],
      [' && !this.#spoke) this.#refuse()', ' && this.#spoke) this.#refuse()', answer],
    ],
    'a refusal as a plain end': ["if (refusal !== '') this.#refused = true", ''],
    'a refusal that goes before the limit': [
      "said === 'length'\n        ? 'length'",
      "said === 'length' && !this.#refused\n        ? 'length'",
    ],
  }),
  ...bug('BerriAI/litellm#39723', tests, fromResponses, {
    'a refusal of Responses without its text': ["case 'response.refusal.delta':\n", ''],
    'a refusal of Responses as a plain end': ["if (this.#refused) return 'refusal'", ''],
    'a refusal of Responses that goes before the limit': [
      [
        '#stop(type: string, response: JsonObject): Stop {',
        "#stop(type: string, response: JsonObject): Stop {\n    if (this.#refused) return 'refusal'",
      ],
    ],
  }),
  ...bug('BerriAI/litellm#39723', tests, toMessages, {
    'no stop_details': ["if (reason !== 'refusal') return ending", 'return ending'],
  }),
  ...bug('vercel/ai#6577', tests, 'src/main/translate/encode-messages.ts', {
    'a schema by a tool': [
      'const declared = [',
      "const declared = [...(format === null ? [] : [{ name: 'json', input_schema: request.format.schema }]), ",
    ],
  }),
  ...bug('vercel/ai#6577', tests, toChat, {
    'tool_calls behind a text': ["end: 'stop'", "end: 'tool_calls'"],
  }),
]

export const calls = [...argumentsOfCalls, ...stops]
