// What takes away each rule of `docs/translation.md`, 6.10: parameters.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-parameters.test.ts'
const catalogueTests = 'test/flow/spoken-dialect.test.ts'

const catalogue = 'src/main/flow/abilities-of.ts'
const ofMessages = 'src/main/translate/decode-messages.ts'
const itemsOfMessages = 'src/main/translate/decode-messages-items.ts'
const toMessages = 'src/main/translate/encode-messages.ts'
const turnsToMessages = 'src/main/translate/encode-messages-turns.ts'
const toResponses = 'src/main/translate/encode-responses.ts'
const toChat = 'src/main/translate/encode-chat.ts'
const messagesToChat = 'src/main/translate/encode-chat-messages.ts'
const ttl = 'src/main/translate/cache-ttl.ts'
const cutter = 'src/main/translate/cut-at-stop.ts'

const mark = "const cacheMark = { type: 'ephemeral' }"
const markWithTtl = "const cacheMark = { type: 'ephemeral', ttl: '5m' }"
const kept = '...(part.endsPrefix ? { cache_control: {} } : {})'
const withoutMarks = "(key, value) => (key === 'cache_control' ? undefined : value)"

export const parameters = [
  ...bug('RooCodeInc/Roo-Code#12162', tests, toResponses, {
    'a temperature that is rejected, to OpenAI’s': ['if (abilities.sampling && !', 'if (!'],
  }),
  ...bug('RooCodeInc/Roo-Code#12162', tests, toMessages, {
    'a temperature that is rejected, to Messages': ['!abilities.sampling || isThinking', 'isThinking'],
  }),
  ...bug('RooCodeInc/Roo-Code#12162', catalogueTests, catalogue, {
    'a temperature to any model of OpenAI': ['sampling: !(isVendor && reasons)', 'sampling: true'],
    'a temperature to any model of Anthropic': ['sampling: !adaptive', 'sampling: true'],
  }),
  ...bug('huggingface/smolagents#1893', tests, toChat, {
    'stop where it is rejected': [
      'abilities.stop && request.stop.length <= mostStops',
      'request.stop.length <= mostStops',
    ],
    'five stops': ['abilities.stop && request.stop.length <= mostStops', 'abilities.stop'],
    'stop dropped, the answer not cut': ['stops: native ? [] : request.stop', 'stops: []'],
  }),
  ...bug('huggingface/smolagents#1893', tests, toResponses, {
    'stop dropped for Responses': ['stops: request.stop }', 'stops: [] }'],
  }),
  ...bug('huggingface/smolagents#1893', tests, cutter, {
    'the beginning of a stop that comes in two pieces': ['const keep = this.#suffix(all)', 'const keep = 0'],
  }),
  ...bug('huggingface/smolagents#1893', catalogueTests, catalogue, {
    'stop to any model': ['stop: !(isVendor && /gpt-5|^o[1-9]/.test(model))', 'stop: true'],
  }),
  ...bug('musistudio/claude-code-router#1380', tests, toChat, {
    'no schema, to Chat': ['response_format: formatEntry(request.format, options),', ''],
  }),
  ...bug('musistudio/claude-code-router#1380', tests, toResponses, {
    'no schema, to Responses': ['format: formatEntry(request.format, options)', 'format: null'],
  }),
  ...bug('musistudio/claude-code-router#1380', tests, ofMessages, {
    'only the older field': [
      'objectIn(output?.format) ?? objectIn(body.output_format)',
      'objectIn(body.output_format)',
    ],
    'only the newer field': ['objectIn(output?.format) ?? objectIn(body.output_format)', 'objectIn(output?.format)'],
  }),
  ...bug('Helicone/helicone#5640', tests, toMessages, {
    'the field as it came': [
      'output_config: Object.keys(outputConfig).length === 0 ? null : outputConfig',
      "response_format: request.format === null ? null : { type: 'json_schema', json_schema: request.format }",
    ],
    'more than the schema': [
      "config: { type: 'json_schema', schema: format.schema }",
      "config: { type: 'json_schema', name: format.name, schema: format.schema, strict: format.strict }",
    ],
    'a schema to a model that has no such field': [' && abilities.structuredOutput) {', ') {'],
    'a wish for JSON that is lost': [
      "losses.changed('emulated', 'format_as_instruction', 'text.format')",
      'return null',
    ],
  }),
  ...bug('mnfst/llm-gateway#2789', tests, toResponses, {
    'the id itself, to Responses': ['request.userId !== null ? hash(request.userId) : null', 'request.userId'],
    'metadata of another kind': [
      'metadata: cliFieldsOnly ? null : request.metadata',
      'metadata: cliFieldsOnly ? null : { user_id: request.userId }',
    ],
    'a field that the server does not know': [
      'abilities.openAiExtras && !cliFieldsOnly && request.userId',
      '!cliFieldsOnly && request.userId',
    ],
  }),
  ...bug('mnfst/llm-gateway#2789', tests, toChat, {
    'the id itself, to Chat': ['request.userId !== null ? hash(request.userId) : null', 'request.userId'],
    'a field that the Chat server does not know': ['extras && request.userId', 'request.userId'],
  }),
  ...bug('mnfst/llm-gateway#2789', tests, toMessages, {
    'the id itself, to Messages': ['user_id: hash(request.userId)', 'user_id: request.userId'],
  }),
  ...bug('BerriAI/litellm#38790', tests, toMessages, {
    'a ttl on tools and system': [mark, markWithTtl],
  }),
  ...bug('BerriAI/litellm#38790', tests, turnsToMessages, {
    'a ttl on turns': [mark, markWithTtl],
  }),
  ...bug('BerriAI/litellm#38790', 'test/program/translated.test.ts', ttl, {
    'a refusal that is only passed on': ['refusal.test(body)', 'false'],
  }),
  ...bug('BerriAI/litellm#38790', 'test/program/translated.test.ts', 'src/main/flow/prepare.ts', {
    'a refusal of each request': ['deps.notKeepingTtl.has(candidate.backend.id) ?', 'deps === null ?'],
  }),
  ...bug('BerriAI/litellm#38790', 'test/translate/cache-breakpoints.test.ts', ttl, {
    'a client’s own mistake as a refusal': ['refusal.test(body)', '/cache_control.*ttl/.test(body)'],
    'a ttl on tools': ['tools: each(body?.tools, plain),', ''],
    'a ttl inside a result': ["objectIn(bare)?.type === 'tool_result' ? within(bare, plain) : bare", 'bare'],
    'no mark at all': ['cache_control: { type: mark.type }', 'cache_control: undefined'],
    'an input that lost its field': [
      'return found ? JSON.stringify(changed)',
      "return found ? JSON.stringify(changed, (key, value) => (key === 'ttl' ? undefined : value))",
    ],
  }),
  ...bug('omnimind-ai/OmniBot#301', tests, messagesToChat, {
    'a mark on a text, to Chat': [
      "return { type: 'text', text: part.text }",
      `return { type: 'text', text: part.text, ${kept} }`,
    ],
    'a mark on a picture, to Chat': ["type: 'image_url',", `type: 'image_url', ${kept},`],
  }),
  ...bug('omnimind-ai/OmniBot#301', tests, toResponses, {
    'a mark on a text, to Responses': [
      "{ type: 'input_text', text: part.text }",
      `{ type: 'input_text', text: part.text, ${kept} }`,
    ],
  }),
  ...bug('omnimind-ai/OmniBot#301', tests, itemsOfMessages, {
    'an input without a field of that name': [
      'JSON.stringify(block.input ?? {})',
      `JSON.stringify(block.input ?? {}, ${withoutMarks})`,
    ],
  }),
  ...bug('omnimind-ai/OmniBot#301', tests, ofMessages, {
    'a schema without a field of that name': [
      'schema: objectIn(tool.input_schema), strict',
      `schema: JSON.parse(JSON.stringify(objectIn(tool.input_schema), ${withoutMarks})), strict`,
    ],
  }),
  ...bug('livekit/agents#5088', tests, toChat, {
    'both where they are rejected': ['tools.length > 0 && !abilities.effortWithTools ? null : wanted', 'wanted'],
    'no effort where there are no tools': [
      'tools.length > 0 && !abilities.effortWithTools',
      '!abilities.effortWithTools',
    ],
    'no effort beside tools anywhere': ['tools.length > 0 && !abilities.effortWithTools', 'tools.length > 0'],
  }),
  ...bug('livekit/agents#5088', catalogueTests, catalogue, {
    'both to any model': [
      'effortWithTools: !(isVendor && /gpt-5\\.[4-9]|gpt-[6-9]/.test(model))',
      'effortWithTools: true',
    ],
  }),
]
