// What takes away each rule of `docs/translation.md`, 6.2 and 6.3: Responses and Chat streams.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-openai-streams.test.ts'

const answer = 'src/main/translate/translate-answer.ts'
const usage = 'src/main/translate/usage.ts'
const fromChat = 'src/main/translate/decode-chat-events.ts'
const fromMessages = 'src/main/translate/decode-messages-events.ts'
const fromResponses = 'src/main/translate/decode-responses-events.ts'
const toChat = 'src/main/translate/encode-chat-events.ts'
const toResponses = 'src/main/translate/encode-responses-events.ts'

const responses = [
  ...bug('kittors/CliRelay#1053', tests, toResponses, {
    'an empty output_text.done': [
      'text,\n            logprobs: responsesEventTokens(item.tokens)',
      "text: '',\n            logprobs: responsesEventTokens(item.tokens)",
    ],
    'an empty content_part.done': ['part: textPart(text, item.tokens)', "part: textPart('')"],
    'an empty refusal.done': ['content_index: 0, refusal: text', "content_index: 0, refusal: ''"],
    'an empty content_part.done of a refusal': ['part: refusalPart(text)', "part: refusalPart('')"],
    'an empty reasoning_summary_text.done': ['summary_index: 0, text })', "summary_index: 0, text: '' })"],
    'an empty reasoning_summary_part.done': ['part: summaryPart(text)', "part: summaryPart('')"],
    'an empty function_call_arguments.done': [
      'name: open.name, arguments: item.text',
      "name: open.name, arguments: ''",
    ],
    'an empty custom_tool_call_input.done': ['...where, input: text', "...where, input: ''"],
    'an empty output_item.done': ['item: doneItem(item)', 'item: openItem(item)'],
    'the text of all parts so far': [
      'const { open, text } = item',
      "const { open } = item\n    const text = this.#all.filter((one) => one.open.part === open.part).map((one) => one.text).join('')",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#2194', tests, toResponses, {
    'an end without output': ["'incomplete', items.map(doneItem)", "'incomplete', []"],
    'an end without the text': ["'incomplete', items.map(doneItem)", "'incomplete', items.map(openItem)"],
  }),
  ...bug('BigPizzaV3/CodexPlusPlus#1908', tests, usage, {
    'no reasoning_tokens': ['output_tokens_details: { reasoning_tokens: usage.reasoningTokens },\n  total', 'total'],
    'no reasoning_tokens where there are none': [
      'output_tokens_details: { reasoning_tokens: usage.reasoningTokens },\n  total',
      'output_tokens_details: { reasoning_tokens: usage.reasoningTokens || undefined },\n  total',
    ],
    'no cache counters': [
      '  input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },\n',
      '',
    ],
  }),
  ...bug('BigPizzaV3/CodexPlusPlus#1908', tests, toResponses, {
    'no usage where the upstream said none': [
      'usage: responsesUsage(this.#usage)',
      'usage: this.#usage === noUsage ? null : responsesUsage(this.#usage)',
    ],
  }),
  ...bug('zyycn/codex-proxy-rs#90', tests, toResponses, {
    'a bare error': [
      "return this.#event('response.failed', { response })",
      "return this.#event('error', { code: responsesCode(failure), message })",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#5439', tests, toResponses, {
    'a cut turn that ends as completed': [
      "const type = this.#cutBy() === null ? 'response.completed' : 'response.incomplete'",
      "const type = 'response.completed'",
    ],
    'a cut turn whose status is completed': [
      "this.#response(reason === null ? 'completed' : 'incomplete'",
      "this.#response('completed'",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#5439', tests, fromMessages, {
    'a call of Messages that the limit cut off as a finished one': [
      'this.#settle(cutsOff(this.#stop))',
      'this.#settle(false)',
    ],
    'max_tokens as a plain end': ["max_tokens: 'length'", "max_tokens: 'end'"],
    'a full context as a plain end': [
      "model_context_window_exceeded: 'length'",
      "model_context_window_exceeded: 'end'",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#5439', tests, fromChat, {
    'a call of Chat that the limit cut off as a finished one': [
      ' if (!isCut || this.#isWhole(slot)) this.#emit',
      ' this.#emit',
    ],
    'length as a plain end': ["length: 'length'", "length: 'end'"],
  }),
  ...bug('router-for-me/CLIProxyAPI#1407', tests, fromMessages, {
    'an early end of Messages that nothing is said of': ["this.#emit({ kind: 'fail', failure: cutShort })", ''],
  }),
  ...bug('router-for-me/CLIProxyAPI#1407', tests, fromChat, {
    'an early end of Chat that nothing is said of': ["this.#emit({ kind: 'fail', failure: cutShort })", ''],
    'a finished Chat stream without [DONE] that nothing is said of': [
      'this.#finish()\n      return\n    }\n    this.#over',
      'return\n    }\n    this.#over',
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1407', tests, answer, {
    'an event that can not be read and nothing is said of': [
      'if (value === null) this.#unreadable()\n    else this.#decoder.event(value)',
      'if (value === null) this.#finished = true\n    else this.#decoder.event(value)',
    ],
    'a broken line that nothing is said of': [
      "this.#cutter.pass({ kind: 'fail', failure }))",
      '{ this.#failure = failure })',
    ],
  }),
]

const chat = [
  ...bug('mcowger/plexus#691', tests, toChat, {
    'index 0 for each call': ['const ordinal = this.#calls', 'const ordinal = 0'],
    'indices that count texts too': ['const ordinal = this.#calls', 'const ordinal = this.#all.length - 1'],
    'arguments with the index of the latest call': [
      'index: part.ordinal, function: { arguments: text }',
      'index: this.#calls - 1, function: { arguments: text }',
    ],
  }),
  ...bug('decolua/9router#354', tests, toChat, {
    'stop behind a call': ["calls: 'tool_calls'", "calls: 'stop'"],
  }),
  ...bug('decolua/9router#354', tests, fromResponses, {
    'stop behind a call out of Responses': ["this.#calls > 0 ? 'calls' : 'end'", "'end'"],
  }),
  ...bug('decolua/9router#354', tests, fromMessages, {
    'stop behind a call where Messages says tool_use': [
      ["tool_use: 'calls'", "tool_use: 'end'"],
      ["this.#stop === 'end' || this.#stop === 'sequence'", "this.#stop === 'sequence'"],
    ],
    'stop behind a call where Messages says end_turn': [
      "this.#stop === 'end' || this.#stop === 'sequence'",
      "this.#stop === 'sequence'",
    ],
    'stop behind a call where Messages says stop_sequence': [
      "this.#stop === 'end' || this.#stop === 'sequence'",
      "this.#stop === 'end'",
    ],
  }),
  ...bug('shogo-labs/shogo-ai#766', tests, toChat, {
    'no usage': ['if (this.#identity.wantsUsage) {', 'if (this.#calls < 0) {'],
    'no thoughts': ["thinking: 'reasoning_content'", "thinking: ''"],
  }),
  ...bug('shogo-labs/shogo-ai#766', tests, fromMessages, {
    'no usage out of message_start': ['this.#count(objectIn(objectIn(data.message)?.usage))', ''],
    'no usage out of message_delta': ['this.#count(objectIn(data.usage))', ''],
  }),
  ...bug('BerriAI/litellm#20480', tests, toChat, {
    'an id on every chunk': [
      'index: part.ordinal, function: { arguments: text }',
      'index: part.ordinal, id: open.callId, function: { arguments: text }',
    ],
    'a name on every chunk': [
      'index: part.ordinal, function: { arguments: text }',
      'index: part.ordinal, function: { name: open.name, arguments: text }',
    ],
    'a summary at the end': [
      "if (part.text.trim() !== '') return ''",
      "if (part.text.trim() !== '') return this.#chunk({ tool_calls: [{ index: part.ordinal, function: { arguments: JSON.stringify(part.text) } }] }, null)",
    ],
  }),
  ...bug('Th0rgal/sandboxed.sh#389', tests, answer, {
    'the upstream’s [DONE] beside our own': [
      ['if (this.over) return\n    if (data.startsWith', 'if (data.startsWith'],
      [
        'this.#decoder.doneMark()\n      return',
        "this.#decoder.doneMark()\n      this.#out += 'data: [DONE]\\n\\n'\n      return",
      ],
    ],
  }),
  ...bug('Th0rgal/sandboxed.sh#389', tests, toChat, {
    '[DONE] behind an error': [
      "return chunk(failureBody('chat', event.failure))",
      "return chunk(failureBody('chat', event.failure)) + 'data: [DONE]\\n\\n'",
    ],
    '[DONE] behind the finish and behind the usage': [
      'out += this.#chunk({}, reasons[stop])',
      "out += this.#chunk({}, reasons[stop]) + 'data: [DONE]\\n\\n'",
    ],
  }),
]

export const openAiStreams = [...responses, ...chat]
