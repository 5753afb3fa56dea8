// What takes away each rule of `docs/translation.md`, 6.8: history and content.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-history.test.ts'

const repair = 'src/main/translate/repair.ts'
const names = 'src/main/translate/names.ts'
const fromMessages = 'src/main/translate/decode-messages-items.ts'
const fromResponses = 'src/main/translate/decode-responses-items.ts'
const fromChat = 'src/main/translate/decode-chat.ts'
const toMessages = 'src/main/translate/encode-messages-turns.ts'
const toResponses = 'src/main/translate/encode-responses.ts'
const toChat = 'src/main/translate/encode-chat-messages.ts'

/** Each of them, once read, is looked at again when the conversation is mended. */
const emptyTexts = ["item.parts.filter((part) => part.kind !== 'text' || part.text !== '')", 'item.parts', repair]
const emptyPart = "text === '' ? [] : [{ kind: 'text', text }]\n"
const anyPart = "[{ kind: 'text', text }]\n"
const blind = "if (!abilities.images) return losses.refuse('images_not_accepted', 'messages')\n"
const dataUrl = `image.at === 'url' ? image.url : \`data:\${image.mediaType};base64,\${image.data}\``
const addressRefused = ["image.at === 'url' && !abilities.imageAddresses", "image.at === 'url'"]
const resultsInARow = [
  "if (last?.kind === 'results') turns[turns.length - 1] = { ...last, items: [...last.items, item] }\n      else turns.push(",
  'turns.push(',
  repair,
]
const sameRole = ['if (last?.role === role) last.content.push(...content)\n    else messages.push(', 'messages.push(']

export const history = [
  ...bug('BerriAI/litellm#21154', tests, repair, {
    'a turn for each call': ['while (end < items.length && isOfAssistant(items[end] as Item)) end += 1', 'end += 1'],
    'a Chat message for each item': [
      "if (last?.kind === 'assistant') turns[turns.length - 1] = { ...last, items: [...last.items, item] }\n      else turns.push(",
      'turns.push(',
    ],
  }),
  ...bug('mlflow/mlflow#24296', tests, toMessages, {
    'a turn for each result': [sameRole, resultsInARow],
    'what the user says next in a turn of its own': sameRole,
  }),
  ...bug('agno-agi/agno#9372', tests, repair, {
    'a result that answers nothing': ['out.push(orphan(item))', 'out.push(item)'],
    'an output that is lost': ['out.push(orphan(item))', 'out.push()'],
    'a failed output as a good one': [`\${isError ? ', which failed' : ''}`, ''],
  }),
  ...bug('agno-agi/agno#9372', tests, 'src/main/translate/decode-responses.ts', {
    'a continued response, its results made text': ["'prompt', 'previous_response_id'] as const", "'prompt'] as const"],
  }),
  ...bug('jeffdafoe/llm-memory-api#179', tests, repair, {
    'a call that nothing answers': [
      'if (open.get(call.callId) !== null || order.includes(call.callId)) continue\n',
      'continue\n',
    ],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, fromChat, {
    'an empty text of Chat': [[emptyPart, anyPart], emptyTexts],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, fromResponses, {
    'an empty text of Responses': [[emptyPart, anyPart], emptyTexts],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, fromMessages, {
    'an empty text of Messages': [[emptyPart, anyPart], emptyTexts],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, repair, {
    'a turn of nothing': [
      "if (parts.length === 0 && item.kind === 'message') return []\n  return parts",
      'return parts',
    ],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, toChat, {
    'no content as an empty text, to Chat': ["content: content === '' ? null : content", 'content'],
  }),
  ...bug('NousResearch/hermes-agent#11906', tests, toResponses, {
    'empty instructions': ["request.system.filter((text) => text !== '')", 'request.system'],
    'instructions of nothing': ["system !== '' || cliFieldsOnly ? system : null", 'system'],
  }),
  ...bug('diegosouzapw/OmniRoute#7056', tests, toResponses, {
    'no system turn but the first': [
      "const role = item.role === 'system' && !inFront ? 'developer' : item.role",
      "if (item.role === 'system' && !inFront) return []\n      const role = item.role",
    ],
    'a later one as the user’s': ["!inFront ? 'developer'", "!inFront ? 'user'"],
  }),
  ...bug('diegosouzapw/OmniRoute#7056', tests, fromMessages, {
    'only the system text above the conversation': [
      "if (parts.length > 0) items.push({ kind: 'message', role: 'system', parts })",
      '',
    ],
  }),
  ...bug('ericc-ch/copilot-api#273', tests, fromMessages, {
    'all but the user as the assistant': ["message.role === 'assistant'", "message.role !== 'user'"],
  }),
  ...bug('ericc-ch/copilot-api#273', tests, toChat, {
    'as the assistant, to Chat': [
      "messages.push({ role: abilities.developerRole ? 'developer' : 'system', content: text })",
      "messages.push({ role: 'assistant', content: text })",
    ],
    'a role that the template does not know': [
      "messages.push({ role: abilities.developerRole ? 'developer' : 'system'",
      "messages.push({ role: 'developer'",
    ],
  }),
  ...bug('ericc-ch/copilot-api#273', tests, toMessages, {
    'as the assistant, to Messages': [
      "add('user', [{ type: 'text', text: `<system>",
      "add('assistant', [{ type: 'text', text: `<system>",
    ],
  }),
  ...bug('weave-os/router#332', tests, toMessages, {
    'a system turn anywhere': [
      'options.abilities.midSystem && isLegalSystem(turns, at)',
      'options.abilities.midSystem',
    ],
    'one behind the assistant': ["(before === 'user' || before === 'results') && (after", '(after'],
    'one before the user': [" && (after === undefined || after === 'assistant')", ''],
    'one before a turn of which nothing is left': ['content.length === 0 ? [] : [{ kind', '[{ kind'],
    'none behind results': [" || before === 'results'", ''],
  }),
  ...bug('weave-os/router#332', tests, repair, {
    'two next to one another': ['last.kind === kind && ', "kind === 'user' && last.kind === kind && "],
  }),
  ...bug('BerriAI/litellm#39852', tests, toChat, {
    'a later one in its place': ['abilities.systemFirstOnly ?', 'abilities === null ?'],
    'the later one first': ['[...system, ...later]', '[...later, ...system]'],
    'one in front and in its place, too': ['items: items.filter((item) => !isSystem(item))', 'items'],
  }),
  ...bug('BerriAI/litellm#39852', 'test/flow/spoken-dialect.test.ts', 'src/main/flow/abilities-of.ts', {
    'a local template that is given them anywhere': ["source.type === 'local' && dialect === 'chat'", 'false'],
  }),
  ...bug('sonami-tech/omni-llm-provider#2', tests, repair, {
    'a developer message that is not hoisted': [
      "item.kind === 'message' && (item.role === 'system' || item.role === 'developer')",
      "item.kind === 'message' && item.role === 'system'",
    ],
  }),
  ...bug('sonami-tech/omni-llm-provider#2', tests, fromChat, {
    'a developer message as the user’s': ["    case 'developer':\n", ''],
  }),
  ...bug('sonami-tech/omni-llm-provider#2', 'test/translate/bugs-failures.test.ts', 'src/main/translate/failure.ts', {
    'a 400 as a 500': ["return status >= 400 && status < 500 ? 'bad-request' : 'server'", "return 'server'"],
  }),
  ...bug('nodetool-ai/nodetool#4252', tests, toResponses, {
    'a call’s id as its item’s': ["{ type: 'function_call', call_id", "{ type: 'function_call', id: callId, call_id"],
    'a free-form call’s': ["{ type: 'custom_tool_call', call_id", "{ type: 'custom_tool_call', id: callId, call_id"],
    'a result’s': ['{ type, call_id: callId, output: marked(', '{ type, id: callId, call_id: callId, output: marked('],
  }),
  ...bug('decolua/9router#393', tests, names, {
    'an id of any length': ['callId.length >= 1 && callId.length <= 64', 'true'],
    'an id cut off': [`\`call_\${hash(callId).slice(0, 24)}\``, 'callId.slice(0, 64)'],
    'another id each time': [`\`call_\${hash(callId).slice(0, 24)}\``, `\`call_\${Math.random()}\``],
    'an id of any characters, to Messages': ['/^[A-Za-z0-9_-]+$/.test(callId)', 'true'],
  }),
  ...bug('decolua/9router#393', tests, toResponses, {
    'the result under the long one': ["callIdFor('responses', item.callId, options.hash)", 'item.callId'],
  }),
  ...bug('decolua/9router#393', tests, toChat, {
    'the result under the long one, to Chat': ["callIdFor('chat', item.callId, options.hash)", 'item.callId'],
  }),
  ...bug('Zoo-Code-Org/Zoo-Code#1705', tests, repair, {
    'results up to the first other thing': [
      'if (isOfAssistant(item) && order.length === open.size) break',
      "if (item.kind === 'message') break",
    ],
  }),
  ...bug('Zoo-Code-Org/Zoo-Code#1705', tests, fromMessages, {
    'the order of the client’s blocks': [
      [
        'else parts.push(...partsOf(block, here, losses))\n  }\n  if',
        "else items.push({ kind: 'message', role: 'user', parts: partsOf(block, here, losses) })\n  }\n  if",
      ],
      ['if (isOfAssistant(item) && order.length === open.size) break', "if (item.kind === 'message') break", repair],
    ],
  }),
  ...bug('Zoo-Code-Org/Zoo-Code#1705', tests, toChat, {
    'a picture before the next result': [
      'isError) })\n  }',
      "isError) })\n    if (behind.length > 0) messages.push({ role: 'user', content: contentOf(behind.splice(0), options) })\n  }",
    ],
    'two messages of the user behind them': [
      'open = pushResults(turn.items, messages, options)',
      'pushResults(turn.items, messages, options)\n        open = null',
    ],
  }),
  ...bug('maximhq/bifrost#5450', tests, toChat, {
    'a failed result as a good one, to Chat': [
      "marked(texts.join('\\n'), item.isError)",
      "marked(texts.join('\\n'), false)",
    ],
  }),
  ...bug('maximhq/bifrost#5450', tests, toResponses, {
    'a failed result as a good one, to Responses': [
      "marked(texts.join(''), item.isError)",
      "marked(texts.join(''), false)",
    ],
    'a failed result of several parts as a good one': [
      "item.isError ? [{ type: 'input_text', text: marked('', true) }, ...parts] : parts",
      'parts',
    ],
  }),
  ...bug('maximhq/bifrost#5450', tests, toMessages, {
    'a failed result as a good one, to Messages': ['...(item.isError ? { is_error: true } : {}),', ''],
  }),
  ...bug('maximhq/bifrost#5450', tests, fromResponses, {
    'the mark as the tool’s words': [
      "if (first?.kind !== 'text' || !first.text.startsWith(errorMark)) return item",
      'return item',
    ],
    'a state of the item that is not read': ["item.status === 'failed' || item.status === 'incomplete'", 'false'],
  }),
  ...bug('sgl-project/sglang#19233', tests, toResponses, {
    'no picture, to Responses': [
      'const parts = item.parts.map((part) => partEntry(part, false, options))',
      "const parts = item.parts.filter(({ kind }) => kind === 'text').map((part) => partEntry(part, false, options))",
    ],
  }),
  ...bug('sgl-project/sglang#19233', tests, toMessages, {
    'no picture, to Messages': ["only?.kind === 'text' && more.length === 0 ?", "only?.kind === 'text' ?"],
  }),
  ...bug('NanmiCoder/cc-haha#1278', tests, toChat, {
    'no picture, to Chat': [
      `behind.push({ kind: 'text', text: \`Attached to the result of \${id}:\` }, ...others)`,
      '',
    ],
    'a picture that is nobody’s': [
      `{ kind: 'text', text: \`Attached to the result of \${id}:\` }, ...others`,
      '...others',
    ],
    'a picture to a blind model of Chat': [blind, ''],
  }),
  ...bug('NanmiCoder/cc-haha#1278', tests, toResponses, { 'a picture to a blind model of Responses': [blind, ''] }),
  ...bug('NanmiCoder/cc-haha#1278', tests, toMessages, {
    'a picture to a blind model of Messages': [blind.replace('messages', 'input'), ''],
  }),
  ...bug('BerriAI/litellm#16202', tests, toChat, {
    'a picture as the text of its object': [dataUrl, "image.at === 'url' ? image.url : JSON.stringify(image)"],
  }),
  ...bug('BerriAI/litellm#16202', tests, toResponses, {
    'a picture as the text of its object, to Responses': [
      dataUrl,
      "image.at === 'url' ? image.url : JSON.stringify(image)",
    ],
  }),
  ...bug('livekit/agents#3867', tests, fromResponses, {
    'the prefix of a data URL': ["data: found[2] ?? '' }", 'data: url }'],
  }),
  ...bug('livekit/agents#3867', tests, fromMessages, {
    'the prefix that a client put there': ["data.replace(/^data:[^,]*,/, '')", 'data'],
  }),
  ...bug('BerriAI/litellm#37175', tests, toResponses, {
    'a picture without a detail': ["detail: part.detail ?? 'auto' }", 'detail: part.detail }'],
  }),
  // Nothing can be fetched here: what a fetching translator says when it must not.
  ...bug('BerriAI/litellm#12899', tests, toMessages, { 'bytes only, to Messages': addressRefused }),
  ...bug('BerriAI/litellm#12899', tests, toResponses, { 'bytes only, to Responses': addressRefused }),
  ...bug('BerriAI/litellm#12899', tests, toChat, { 'bytes only, to Chat': addressRefused }),
  ...bug('langchain-ai/langchain#37575', tests, fromResponses, {
    'base64 of a text as a document': [
      "if (bytes.at === 'data' && bytes.mediaType.startsWith('text/')) return",
      'if (bytes === null) return',
    ],
  }),
  ...bug('langchain-ai/langchain#37575', tests, fromMessages, {
    'base64 of a text, from Messages': [
      "document.at === 'data' && document.mediaType.startsWith('text/')",
      'document === null',
    ],
  }),
]
