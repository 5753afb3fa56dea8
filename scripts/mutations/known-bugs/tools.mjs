// What takes away each rule of `docs/translation.md`, 6.9: tools.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-tools.test.ts'

const names = 'src/main/translate/names.ts'
const restore = 'src/main/translate/restore-tools.ts'
const request = 'src/main/translate/translate-request.ts'
const choice = 'src/main/translate/tool-choice.ts'
const input = 'src/main/translate/tool-input.ts'
const schema = 'src/main/translate/schema.ts'
const ofMessages = 'src/main/translate/decode-messages.ts'
const ofResponses = 'src/main/translate/decode-responses.ts'
const itemsOfResponses = 'src/main/translate/decode-responses-items.ts'
const toMessages = 'src/main/translate/encode-messages.ts'
const turnsToMessages = 'src/main/translate/encode-messages-turns.ts'
const toResponses = 'src/main/translate/encode-responses.ts'
const toChat = 'src/main/translate/encode-chat.ts'
const messagesToChat = 'src/main/translate/encode-chat-messages.ts'
const answered = 'src/main/translate/responses-items.ts'

const restored = 'name: origin.name, namespace: origin.namespace, tool'
const toolBack = "event.tool === 'custom' ? 'custom' : origin.kind"
const description = "tool.kind === 'custom' ? withGrammar(tool.description, tool.format) : tool.description"
const withoutGrammar = [description, 'tool.description']
const declared = 'names.name(tool, kindUpstream(tool.kind, task))'
const clientRun = "      case 'local_shell':\n      case 'shell':\n      case 'apply_patch':\n        if"
const noneOfMessages = "    case 'none':\n      return { kind: 'none' }\n"

export const tools = [
  ...bug('router-for-me/CLIProxyAPI#4255', tests, restore, {
    'a call without its namespace': [restored, 'name: origin.name, namespace: null, tool'],
  }),
  ...bug('router-for-me/CLIProxyAPI#4255', tests, answered, {
    'a function call without it': [
      "type: 'function_call', status, call_id: callId, name, namespace,",
      "type: 'function_call', status, call_id: callId, name,",
    ],
    'a free-form call without it': [
      "type: 'custom_tool_call', status, call_id: callId, name, namespace,",
      "type: 'custom_tool_call', status, call_id: callId, name,",
    ],
  }),
  ...bug('openai/codex#33263', tests, ofResponses, {
    'no tool of a namespace': [
      `for (const [at, inner] of listIn(tool.tools).entries()) add(inner, name, \`\${path}.tools[\${at}]\`)`,
      '',
    ],
    'a choice of any tool of that name': ['namespace: textIn(inner?.namespace)', 'namespace: null'],
  }),
  ...bug('openai/codex#33263', tests, itemsOfResponses, {
    'a history without namespaces': ['namespace: textIn(item.namespace)', 'namespace: null'],
  }),
  ...bug('openai/codex#33263', tests, names, {
    'four underscores': ["namespace.endsWith('__') || name.startsWith('__') ?", 'namespace === name ?'],
  }),
  ...bug('openai/codex#33263', tests, request, {
    'a tool of a namespace before one that stands alone': ['[...alone, ...request.tools]', 'request.tools'],
  }),
  ...bug('openai/codex#23186', tests, restore, {
    'a merged name': [restored, 'namespace: origin.namespace, tool'],
    'a guess where no namespace was declared': [
      'if (origin === undefined) {\n          this.#next(event)',
      'if (origin === undefined) {\n          const [namespace, name] = event.name.split(/__|[.]/)\n          this.#next({ ...event, namespace, name })',
    ],
  }),
  ...bug('decolua/9router#1371', tests, request, {
    'a free-form call as a function’s': [declared, "names.name(tool, 'function')"],
  }),
  ...bug('decolua/9router#1371', tests, restore, {
    'no input at all': ["if (raw !== '') this.#next", "if (raw === '') this.#next"],
    'the wrapper as the text': ['unwrappedInput(text)', 'text'],
  }),
  ...bug('decolua/9router#1371', tests, input, {
    'no text but that of the field that was asked for': [
      'textIn(object.input) ?? textIn(object.patch) ?? textIn(object.code)',
      'textIn(object.input)',
    ],
    'a bare text with its quotes': ["if (typeof value === 'string') return value\n", ''],
  }),
  ...bug('decolua/9router#1371', tests, turnsToMessages, {
    'a history of unread arguments': ["item.tool === 'custom' ? wrappedInput(item.input) : item.input", 'item.input'],
  }),
  ...bug('decolua/9router#1371', tests, toResponses, {
    'a history of unread arguments, to Responses': [
      "item.tool === 'custom' ? wrappedInput(item.input) : inputText",
      'inputText',
    ],
  }),
  ...bug('decolua/9router#1371', tests, messagesToChat, {
    'a history of unread arguments, to Chat': [
      "item.tool === 'custom' ? wrappedInput(item.input) : inputText",
      'inputText',
    ],
  }),
  ...bug('icebear0828/codex-proxy#707', tests, toMessages, { 'no grammar, to Messages': withoutGrammar }),
  ...bug('icebear0828/codex-proxy#707', tests, toResponses, { 'no grammar, to Responses': withoutGrammar }),
  ...bug('icebear0828/codex-proxy#707', tests, toChat, { 'no grammar, to Chat': withoutGrammar }),
  ...bug('icebear0828/codex-proxy#707', tests, input, {
    'no field for the text': ["properties: { input: { type: 'string' } },\n    required: ['input']", 'properties: {}'],
  }),
  ...bug('router-for-me/CLIProxyAPI#4812', tests, ofResponses, {
    'a shell that vanishes': [
      'tools.push({ ...plain, kind: tool.type, name: tool.type,',
      'void ({ ...plain, name: tool.type,',
    ],
    'a hosted one as a local one': ["losses.refuse('hosted_shell_not_portable', path)", ''],
  }),
  ...bug('router-for-me/CLIProxyAPI#4812', tests, restore, {
    'its call as a function’s': [toolBack, "origin.kind === 'custom' ? 'custom' : 'function'"],
  }),
  ...bug('router-for-me/CLIProxyAPI#4812', tests, itemsOfResponses, {
    'an output of which nothing is left': ["item.type === 'shell_call_output'", 'item === null'],
  }),
  ...bug('diegosouzapw/OmniRoute#3534', tests, ofResponses, {
    'one that is not known': [clientRun, clientRun.replace("      case 'local_shell':\n", '')],
  }),
  ...bug('diegosouzapw/OmniRoute#3534', tests, restore, {
    'its call as a function’s': [toolBack, "origin.kind === 'custom' ? 'custom' : 'function'"],
  }),
  ...bug('diegosouzapw/OmniRoute#3534', tests, itemsOfResponses, {
    'a call in the history that is not known': ["case 'local_shell_call':", "case 'local_shell':"],
    'an output that is not known': ["    case 'local_shell_call_output':\n", ''],
  }),
  ...bug('10/chatgpt-codex-proxy#9', tests, itemsOfResponses, {
    'tools as a message': [
      ["if (item.type === 'additional_tools') extraTools.push(...listIn(item.tools))\n    else {", '{'],
      [
        "    case 'message':\n      return message(",
        "    case 'additional_tools':\n    case 'message':\n      return message(",
      ],
    ],
    'a refusal of the item': [
      "if (item.type === 'additional_tools') extraTools.push(...listIn(item.tools))\n    else {",
      '{',
    ],
  }),
  ...bug('10/chatgpt-codex-proxy#9', tests, ofResponses, {
    'the later of two': [
      "[...objectsIn(body.tools, 'tools', losses), ...extraTools]",
      "[...extraTools, ...objectsIn(body.tools, 'tools', losses)]",
    ],
  }),
  ...bug('cline/cline#11885', tests, names, {
    'a name of 65 to 128 characters, to Responses': ['responses: 64', 'responses: 128'],
    'to Chat': ['chat: 64', 'chat: 128'],
    'two names cut to one': [`\`\${readable}_\${this.#hash(key).slice(0, 8)}\``, 'flat.slice(0, this.#limit)'],
  }),
  ...bug('cline/cline#11885', tests, restore, {
    'the short name to the client': [restored, 'namespace: origin.namespace, tool'],
  }),
  ...bug('cline/cline#11885', tests, toResponses, {
    'the long name in the history': ['name: names.name(item, item.tool), arguments', 'name: item.name, arguments'],
    'the long name in the choice': ["name: options.names.name(choice, 'function')", 'name: choice.name'],
  }),
  ...bug('cline/cline#11885', tests, messagesToChat, {
    'the long name in the history, to Chat': [
      'name: names.name(item, item.tool), arguments',
      'name: item.name, arguments',
    ],
  }),
  ...bug('cline/cline#11885', tests, toChat, {
    'the long name in the choice, to Chat': [
      "const name = options.names.name(choice, 'function')",
      'const { name } = choice',
    ],
  }),
  ...bug('icebear0828/codex-proxy#22', tests, schema, {
    'an object without properties': [
      "if (schema.type === 'object' && objectIn(schema.properties) === null) return { ...schema, properties: {} }\n",
      '',
    ],
    'no schema at all': [
      "if (schema === null || Object.keys(schema).length === 0) return { type: 'object', properties: {} }",
      'if (schema === null) return {}',
    ],
  }),
  ...bug('BerriAI/litellm#36979', tests, toResponses, {
    'nothing said of strictness': [
      'description: tool.description, parameters, strict }',
      'description: tool.description, parameters }',
    ],
    'nothing said of an emulated tool’s': [', strict: false })', ' })'],
  }),
  ...bug('ericc-ch/copilot-api#241', tests, ofMessages, {
    'every tool as a function with a schema': [
      "type === 'custom' || (typed === undefined && objectIn(tool.input_schema) !== null)",
      'type !== null',
    ],
    'a schema of nothing': ['schema: typed[1]', 'schema: null'],
    'a crash': ['const common = { name,', 'const common = { keys: Object.keys(tool.input_schema), name,'],
  }),
  ...bug('zts212653/clowder-ai#1077', tests, choice, {
    'an answer without the search that is all there is': [
      'if (tools.length === 0 || forced) return',
      'if (forced) return',
    ],
    'an answer without the search that is forced': [
      'if (tools.length === 0 || forced) return',
      'if (tools.length === 0) return',
    ],
    'a search left out without a word': ["losses.dropped('server_tool_removed', 'tools')", ''],
    'a search that nobody runs': ['if (canSearch) return true', 'return true'],
    'a forced search as no choice': ["plain = { kind: 'search' }", 'plain = null'],
  }),
  ...bug('zts212653/clowder-ai#1077', tests, ofMessages, {
    'several tools of the vendor left out, and none left': [
      'if (!hasOthers) losses',
      'if (paths.length === 1 && !hasOthers) losses',
    ],
  }),
  ...bug('zts212653/clowder-ai#1077', tests, toMessages, {
    'a search that is not declared, to Messages': ['...(search ? [searchBlock(request)] : [])', ''],
    'a choice of another tool, to Messages': [
      "return { type: 'tool', name: 'web_search', ...one }",
      "return { type: 'any', ...one }",
    ],
  }),
  ...bug('zts212653/clowder-ai#1077', tests, toResponses, {
    'a search that is not declared, to Responses': ['...(search ? [searchEntry(request)] : [])', ''],
    'a choice of another tool, to Responses': [
      "tools.length === 0\n      ? 'required'",
      "tools !== null\n      ? 'required'",
    ],
  }),
  ...bug('langchain4j/langchain4j#5890', tests, toMessages, {
    'several calls where no choice was made': ["return parallel ? null : { type: 'auto', ...one }", 'return null'],
    'a call by force': [
      "return parallel ? null : { type: 'auto', ...one }",
      "return parallel ? null : { type: 'any', ...one }",
    ],
    'several calls where one is forced': ["return { type: 'any', ...one }", "return { type: 'any' }"],
    'a choice among no tools': ['if (!hasTools) return null\n', ''],
    'a flag that `none` can’t carry': [
      "if (choice?.kind === 'none') return { type: 'none' }",
      "if (choice?.kind === 'none') return { type: 'none', disable_parallel_tool_use: !parallel }",
    ],
  }),
  ...bug('langchain4j/langchain4j#5890', tests, ofMessages, {
    'several calls, from Messages': ['parallel: choice?.disable_parallel_tool_use !== true', 'parallel: true'],
  }),
  ...bug('dynamiq-ai/dynamiq#753', tests, toMessages, {
    'none as auto, to Messages': [
      "if (choice?.kind === 'none') return { type: 'none' }",
      "if (choice?.kind === 'none') return { type: 'auto' }",
    ],
  }),
  ...bug('dynamiq-ai/dynamiq#753', tests, ofMessages, {
    'none as nothing said, from Messages': [noneOfMessages, ''],
  }),
  ...bug('dynamiq-ai/dynamiq#753', tests, ofResponses, {
    'none as nothing said, from OpenAI’s': [
      "value === 'auto' || value === 'required' || value === 'none'",
      "value === 'auto' || value === 'required'",
    ],
  }),
  ...bug('dynamiq-ai/dynamiq#753', tests, toResponses, {
    'none as auto, to Responses': [
      "if (choice.kind !== 'tool') return choice.kind",
      "if (choice.kind !== 'tool') return choice.kind === 'none' ? 'auto' : choice.kind",
    ],
  }),
  ...bug('dynamiq-ai/dynamiq#753', tests, toChat, {
    'none as auto, to Chat': [
      "if (choice.kind !== 'tool') return choice.kind",
      "if (choice.kind !== 'tool') return choice.kind === 'none' ? 'auto' : choice.kind",
    ],
  }),
]
