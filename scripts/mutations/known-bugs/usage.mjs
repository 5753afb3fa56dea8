// What takes away each rule of `docs/translation.md`: usage, counting and listing.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-failures.test.ts'
const programTests = 'test/program/translated.test.ts'
const listTests = 'test/program/access.test.ts'

const usage = 'src/main/translate/usage.ts'
const estimate = 'src/main/translate/estimate.ts'
const prepare = 'src/main/flow/prepare.ts'
const list = 'src/main/flow/list-models.ts'
const hearMessages = 'src/main/translate/decode-messages-events.ts'
const hearChat = 'src/main/translate/decode-chat-events.ts'
const tellMessages = 'src/main/translate/encode-messages-events.ts'
const tellResponses = 'src/main/translate/encode-responses-events.ts'
const tellChat = 'src/main/translate/encode-chat-events.ts'

const apart = 'Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens)'
const lastDelta = 'delta, usage: messagesUsage(this.#usage)'
const counts = "const counted = ['system', 'instructions', 'messages', 'input', 'tools', 'thinking'] as const"
const noted = 'if (usage !== null) this.#usage = { ...this.#usage, ...saidOf(usage) }'
const estimated =
  "if (call.operation === 'count' && !countsItself(call, candidate, deps)) return estimated(call, candidate, plan, deps)\n"
const chunkOfUsage = 'choices: [], usage: chatUsage(this.#usage) })'

export const usages = [
  ...bug('chenyme/grok2api#748', tests, usage, {
    'the whole input beside its cached part': [apart, 'usage.inputTokens'],
    'what was written counted in twice': [apart, 'Math.max(0, usage.inputTokens - usage.cacheReadTokens)'],
    'less than nothing': [apart, apart.replace('Math.max(0, ', '(')],
  }),
  ...bug('maximhq/bifrost#3451', 'test/domain/price.test.ts', 'src/main/domain/price.ts', {
    'written tokens charged as input too': [' - usage.cacheWriteTokens)', ')'],
    'read tokens charged as input too': [' - usage.cacheReadTokens', ''],
    'long writes charged as short ones too': ['(usage.cacheWriteTokens - longWrites)', 'usage.cacheWriteTokens'],
  }),
  ...bug('maximhq/bifrost#3451', tests, usage, {
    'written tokens left out of the input': [
      'countIn(usage.input_tokens) + cacheReadTokens + cacheWriteTokens',
      'countIn(usage.input_tokens) + cacheReadTokens',
    ],
    'written tokens told twice': [
      'input_tokens: usage.inputTokens,\n  input_tokens_details',
      'input_tokens: usage.inputTokens + usage.cacheWriteTokens,\n  input_tokens_details',
    ],
  }),
  ...bug('BerriAI/litellm#31069', tests, tellMessages, {
    'a last delta of the output alone': [lastDelta, 'delta, usage: { output_tokens: this.#usage.outputTokens }'],
  }),
  ...bug('BerriAI/litellm#31069', tests, usage, {
    'no cache of OpenAI’s styles': ['cacheReadTokens: countIn(cached)', 'cacheReadTokens: 0'],
    'no cache of the first other spelling': ['usage.prompt_cache_hit_tokens ?? ', ''],
    'no cache of the second other spelling': [' ?? usage.cached_tokens', ''],
  }),
  ...bug('rashidrazak/opencode-cmd-provider#174', tests, hearMessages, {
    'usage forgotten at the end': [
      "case 'message_stop':\n        this.#finish()",
      "case 'message_stop':\n        this.#usage = {}\n        this.#finish()",
    ],
    'the zeros of the end': [
      "case 'message_stop':\n        this.#finish()",
      "case 'message_stop':\n        this.#count(objectIn(data.usage))\n        this.#finish()",
    ],
  }),
  ...bug('ARahim3/mlx-dspark#37', tests, hearChat, {
    'usage only where no choices are': [
      noted,
      'if (usage !== null && listIn(data.choices).length === 0) this.#usage = usage',
    ],
    'usage only beside choices': [noted, 'if (usage !== null && listIn(data.choices).length > 0) this.#usage = usage'],
    'usage only beside a list of choices': [noted, 'if (usage !== null && data.choices) this.#usage = usage'],
  }),
  ...bug('ARahim3/mlx-dspark#37', tests, tellChat, {
    'a usage chunk with a choice': [chunkOfUsage, chunkOfUsage.replace('[]', '[{ index: 0, delta: {} }]')],
  }),
  ...bug('odysseus-dev/odysseus#1703', tests, hearChat, {
    'usage not of the finish chunk': [
      noted,
      'if (usage !== null && !listIn(data.choices).some((one) => one.finish_reason)) this.#usage = usage',
    ],
    'usage only of the finish chunk': [
      noted,
      'if (usage !== null && listIn(data.choices).some((one) => one.finish_reason)) this.#usage = usage',
    ],
    'the first usage that is said': [noted, 'if (usage !== null) this.#usage ??= usage'],
    'usage taken back by a null': [noted, 'this.#usage = usage'],
  }),
  ...bug('router-for-me/CLIProxyAPI#1279', tests, tellChat, {
    'no usage in a whole answer of Chat': [
      'choices: [choice], usage: chatUsage(this.#usage) }',
      'choices: [choice], usage: this.#usage === noUsage ? null : chatUsage(this.#usage) }',
    ],
    'no usage chunk of Chat': [
      'if (this.#identity.wantsUsage) {',
      'if (this.#identity.wantsUsage && this.#usage !== noUsage) {',
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1279', tests, tellResponses, {
    'no usage in Responses': [
      'usage: responsesUsage(this.#usage)',
      'usage: this.#usage === noUsage ? null : responsesUsage(this.#usage)',
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1279', tests, tellMessages, {
    'no usage in Messages': [
      'return { ...this.#ending(reason), usage: messagesUsage(this.#usage) }',
      'return { ...this.#ending(reason), ...(this.#usage === noUsage ? {} : { usage: messagesUsage(this.#usage) }) }',
    ],
    'no usage in the last delta': [
      lastDelta,
      'delta, usage: this.#usage === noUsage ? null : messagesUsage(this.#usage)',
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#1279', tests, usage, {
    'no reasoning tokens of Responses': ['output_tokens_details: { reasoning_tokens: usage.reasoningTokens },', ''],
  }),
  ...bug('karthink/gptel#1331', tests, usage, {
    'a null as a number': [
      'Object.fromEntries(Object.entries(usage).filter(([, value]) => numberIn(value) !== null || objectIn(value) !== null))',
      'usage',
    ],
    'a detail that must be there': ['const cached = input?.cached_tokens', 'const cached = input.cached_tokens'],
  }),
  ...bug('karthink/gptel#1331', tests, hearMessages, {
    'usage that must be there': ['if (usage === null) return\n', ''],
  }),
  ...bug('router-for-me/CLIProxyAPI#679', tests, estimate, {
    'no system': [counts, counts.replace("'system', ", '')],
    'no instructions': [counts, counts.replace("'instructions', ", '')],
    'no messages': [counts, counts.replace("'messages', ", '')],
    'no input': [counts, counts.replace("'input', ", '')],
    'no tools': [counts, counts.replace("'tools', ", '')],
    'no schemas and no inputs of calls': ["  'type',\n", "  'type',\n  'input_schema',\n  'parameters',\n"],
    'no input of a call': ["  'type',\n", "  'type',\n  'input',\n  'arguments',\n"],
    'no results': ["  'type',\n", "  'type',\n  'output',\n  'content',\n"],
    'no pictures': ['const perImage = 1_600', 'const perImage = 1'],
    'no text of a document': ["if (form === 'text' || form === 'content') return 0\n", ''],
    'signatures as if they were text': ["  'signature',\n", ''],
    'encrypted thoughts as if they were text': ["  'encrypted_content',\n", ''],
    'redacted thoughts as if they were text': [" || object.type === 'redacted_thinking'", ''],
    'messages without what surrounds them': ['const perMessage = 4', 'const perMessage = 0'],
    'tools without what surrounds them': ['const perTool = 12', 'const perTool = 0'],
  }),
  ...bug('BerriAI/litellm#13252', tests, estimate, {
    'nothing for nothing': [
      ['const perRequest = 3', 'const perRequest = 0'],
      ['Math.max(1, Math.ceil(tokens))', 'Math.ceil(tokens)'],
    ],
  }),
  ...bug('BerriAI/litellm#13252', programTests, prepare, {
    'no count where nobody counts': [estimated, ''],
    'the 404 of a host that doesn’t count': ['!(isUnknown || isTooMany)) return null', 'isUnknown) return null'],
  }),
  ...bug('Wei-Shaw/claude-relay-service#731', programTests, prepare, {
    'a count by asking for an answer': [
      estimated,
      estimated.replace(
        'return estimated(call, candidate, plan, deps)',
        "return prepare({ ...call, operation: 'generate' }, candidate, plan, credential, stripped, deps)",
      ),
    ],
    'a host that refuses asked each time': [' && !deps.notCounting.has(place)', ''],
  }),
  ...bug('BerriAI/litellm#30273', listTests, list, {
    'one shape for all: OpenAI’s': [
      "const anthropic = call.headers.has('anthropic-version')",
      'const anthropic = call === null',
    ],
    'one shape for all: Anthropic’s': [
      "const anthropic = call.headers.has('anthropic-version')",
      'const anthropic = call !== null',
    ],
    'one model in one shape': ['anthropic ? anthropicModel(modelId) : openAiModel(modelId)', 'openAiModel(modelId)'],
    'an absent model in one shape': ["if (anthropic) return { type: 'error'", "if (!model) return { type: 'error'"],
    'a shape for the Codex CLI that it can’t read': ['if (codexShape) answer(io, 200, { models: [] })\n  else\n', ''],
  }),
  ...bug('raine/claude-code-proxy#61', listTests, 'src/main/dialects/route.ts', {
    'no list at all': ["  'GET models': { dialect: 'responses', operation: 'list' },\n", ''],
  }),
  ...bug('raine/claude-code-proxy#61', listTests, list, {
    'any limit': ["? Number(value('limit')) : names.length", '? names.length : names.length'],
    'never more': ['has_more: end < 0 ? from + page.length < names.length : from > 0', 'has_more: false'],
    'every page the first': ["placeOf('after_id') + 1", '0'],
    'no page before': ["const end = placeOf('before_id')", 'const end = -1'],
    'pages without their ends': ['    first_id: page[0] ?? null,\n    last_id: page.at(-1) ?? null,\n', ''],
  }),
]
