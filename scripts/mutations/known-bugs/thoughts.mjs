// What takes away each rule of `docs/translation.md`: thoughts, in a history, in an answer, and how much of them.
import { bug } from '../without.mjs'

const tests = 'test/translate/bugs-thoughts.test.ts'

const fromMessages = 'src/main/translate/decode-messages-items.ts'
const fromResponses = 'src/main/translate/decode-responses-items.ts'
const toMessages = 'src/main/translate/encode-messages-turns.ts'
const toResponses = 'src/main/translate/encode-responses.ts'
const toChat = 'src/main/translate/encode-chat-messages.ts'
const hearMessages = 'src/main/translate/decode-messages-events.ts'
const hearResponses = 'src/main/translate/decode-responses-events.ts'
const hearChat = 'src/main/translate/decode-chat-events.ts'
const tellMessages = 'src/main/translate/encode-messages-events.ts'
const tellResponses = 'src/main/translate/encode-responses-events.ts'
const tellItems = 'src/main/translate/responses-items.ts'
const opaque = 'src/main/translate/opaque.ts'
const effort = 'src/main/translate/effort.ts'

const forced = "choice !== null && choice.kind !== 'auto' && choice.kind !== 'none'"
const dropped = (at) => `losses.dropped('reasoning_dropped', ${at})`
const notForMessages = `${dropped("'input'")}\n      return []`
const notForResponses = `${dropped("'messages'")}\n      return []`

export const thoughts = [
  ...bug('router-for-me/CLIProxyAPI#570', tests, toMessages, {
    'a thought with a signature made up here': [
      notForMessages,
      "return [{ type: 'thinking', thinking: item.text, signature: 'none' }]",
    ],
    'a thought with an empty signature': [
      notForMessages,
      "return [{ type: 'thinking', thinking: item.text, signature: '' }]",
    ],
    'another kind of seal as a signature': ["if (item.opaque?.kind === 'signature') {", 'if (item.opaque !== null) {'],
  }),
  ...bug('router-for-me/CLIProxyAPI#2172', tests, toMessages, {
    'a trimmed thought': ['thinking: item.text, signature', 'thinking: item.text.trim(), signature'],
    'no thought without a word': [
      "if (item.opaque?.kind === 'signature') {",
      "if (item.opaque?.kind === 'signature' && item.text !== '') {",
    ],
    'no redacted thought': [
      "if (item.opaque?.kind === 'redacted') return [{ type",
      "if (item.text === '-') return [{ type",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#2172', tests, hearMessages, {
    'a thought in another form of Unicode': [
      "textIn(delta.thinking) ?? ''",
      "(textIn(delta.thinking) ?? '').normalize('NFC')",
    ],
  }),
  ...bug('router-for-me/CLIProxyAPI#2172', tests, fromMessages, {
    'a trimmed thought on its way back': ["textIn(block.thinking) ?? ''", "(textIn(block.thinking) ?? '').trim()"],
  }),
  ...bug('router-for-me/CLIProxyAPI#2172', tests, opaque, {
    'a seal without its padding': ['blob: data })', "blob: data.replace(/=+$/, '') })"],
  }),
  ...bug('BerriAI/litellm#26916', tests, toResponses, {
    'a foreign thought as text': [
      notForResponses,
      "return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.text }] }]",
    ],
    'a thought of its own as text': [
      "return [{ type: 'reasoning', summary, encrypted_content: item.opaque.data }]",
      "return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: item.text }] }]",
    ],
  }),
  ...bug('BerriAI/litellm#26916', tests, toChat, {
    'a thought as text of Chat': [`else ${dropped("'messages'")}`, 'else texts.push(item.text)'],
  }),
  ...bug('BerriAI/litellm#26916', tests, toMessages, {
    'a thought as a text block': [notForMessages, "return [{ type: 'text', text: item.text }]"],
  }),
  ...bug('BerriAI/litellm#27946', tests, toChat, {
    'thoughts kept back': ["abilities.echoReasoning && item.text !== ''", 'abilities === null'],
    'thoughts to any server': ["abilities.echoReasoning && item.text !== ''", "item.text !== ''"],
  }),
  ...bug('BerriAI/litellm#27946', tests, fromMessages, {
    'no thoughts but sealed ones': ['else items.push({ kind: ', "else if (held.kind === 'own') items.push({ kind: "],
  }),
  ...bug('BerriAI/litellm#27946', tests, fromResponses, {
    'no reasoning items but sealed ones': [
      "if (held.kind === 'foreign' && text === '') {",
      "if (held.kind !== 'own') {",
    ],
  }),
  ...bug('BerriAI/litellm#27946', tests, hearChat, {
    'thoughts that nobody hears': ["this.#say('thinking', thoughtOf(delta))\n", ''],
  }),
  ...bug('BerriAI/litellm#36197', tests, toChat, {
    'silence about Chat': [`else ${dropped("'messages'")}`, ''],
  }),
  ...bug('BerriAI/litellm#36197', tests, toMessages, {
    'silence about Messages': [notForMessages, 'return []'],
  }),
  ...bug('BerriAI/litellm#36197', tests, toResponses, {
    'silence about Responses': [notForResponses, 'return []'],
  }),
  ...bug('BerriAI/litellm#36197', tests, fromMessages, {
    'silence about a redacted block': [dropped('here'), '{}'],
  }),
  ...bug('BerriAI/litellm#36197', tests, fromResponses, {
    'silence about a bare seal': [`${dropped('path')}\n    return null`, 'return null'],
  }),
  ...bug('BerriAI/litellm#13420', tests, fromResponses, {
    'no item of that type': ["    case 'reasoning':\n      return reasoning(item, path, issuer, losses)\n", ''],
    'only items with a list of texts': ['    listIn(list)\n', '    list\n'],
    'only items with a summary': ['listIn(item.summary).length > 0', 'item.summary.length > 0'],
  }),
  ...bug('openai/openai-agents-python#3981', tests, fromMessages, {
    'signatures by their place': [
      "const held = unwrap(issuer, textIn(block.signature) ?? textIn(block.data) ?? '')",
      "const seals = blocks.map((one) => unwrap(issuer, one.signature ?? '')).filter(({ kind }) => kind === 'own')\n" +
        "const held = seals[items.filter(({ kind }) => kind === 'reasoning').length] ?? { kind: 'none' }",
    ],
  }),
  ...bug('openai/openai-agents-python#3981', tests, fromResponses, {
    'seals by their place': [
      '    else {\n      const found = itemOf(item,',
      '    else {\n' +
        '      const seals = listIn(input).filter((one) => one.encrypted_content !== undefined)\n' +
        "      const seal = seals[items.filter(({ kind }) => kind === 'reasoning').length]?.encrypted_content\n" +
        "      const found = itemOf(item.type === 'reasoning' ? { ...item, encrypted_content: seal } : item,",
    ],
  }),
  ...bug('openai/openai-agents-python#3981', tests, tellMessages, {
    'the signature on the block that came last': ['this.#blocks.get(event.key)', 'this.#all.at(-1)'],
  }),
  ...bug('alphaXiv/agents#61', tests, opaque, {
    'any issuer': ['inside?.iss !== issuer || data === null', 'data === null'],
    'any raw value': [
      "return { kind: 'foreign' }\n  const inside",
      "return { kind: 'own', opaque: { kind: 'encrypted', data: text } }\n  const inside",
    ],
  }),
  ...bug('alphaXiv/agents#61', 'test/flow/issuer.test.ts', 'src/main/flow/prepare.ts', {
    'any account of a vendor': ['source.id}', 'source.provider}'],
    'any family of models': ["modelFamily(upstreamModel) ?? ''", "''"],
    'any key': ['{call.key.id}', "{''}"],
    'any issuer of a key': [`{call.key.id}\\n\${issuer}\``, '{call.key.id}`'],
  }),
  ...bug('bitrouter/bitrouter#592', tests, tellMessages, {
    'no signature': ["block.signature === '' ? unsigned : block.signature", "''"],
    'no mark of ours': ["block.signature === '' ? unsigned : block.signature", 'block.signature'],
    'a signature behind the end of its block': [
      "return out + frame('content_block_stop', { type: 'content_block_stop', index })",
      "return frame('content_block_stop', { type: 'content_block_stop', index }) + out",
    ],
  }),
  ...bug('bitrouter/bitrouter#592', tests, hearResponses, {
    'no seal of an item that is done': [
      "this.#emit({ kind: 'seal', key: piece.key, opaque: { kind: 'encrypted', data: blob } })",
      '',
    ],
    'no seal without a word': ["if (blob === '') return", "if (blob === '' || !piece.opened) return"],
  }),
  ...bug('bitrouter/bitrouter#592', tests, hearMessages, {
    'no signature of a stream': ["if (block.type === 'thinking' && data !== '') {", "if (data === '') {"],
  }),
  ...bug('bitrouter/bitrouter#592', tests, tellItems, {
    'items without their seal': ["status === 'in_progress' ? null : blob", 'null'],
  }),
  ...bug('felinics/twilight#45', tests, tellResponses, {
    'one item for several thoughts': [
      '    const at = this.#all.length\n',
      '    const before = this.#all.at(-1)\n' +
        "    if (open.part === 'thinking' && before?.open.part === 'thinking') {\n" +
        '      this.#items.set(open.key, before)\n' +
        "      return ''\n" +
        '    }\n' +
        '    const at = this.#all.length\n',
    ],
  }),
  ...bug('felinics/twilight#45', tests, hearResponses, {
    'one block for several items': [
      "const piece = this.#piece(entry, 'thought', 'thinking')\n    this.#complete",
      "const piece = this.#piece(this.#entries.values().next().value, 'thought', 'thinking')\n    this.#complete",
    ],
  }),
  ...bug('felinics/twilight#45', tests, toMessages, {
    'the first of several blocks': [
      'turn.items.flatMap((item) => assistantBlock(item, options))',
      "turn.items.flatMap((item, n) => item.kind === 'reasoning' && n > 0 ? [] : assistantBlock(item, options))",
    ],
  }),
  ...bug('felinics/twilight#45', tests, toResponses, {
    'several items in another order': [
      'request.items.flatMap((item, at)',
      "request.items.toSorted((a, b) => (a.kind === b.kind && a.kind === 'reasoning' ? -1 : 0)).flatMap((item, at)",
    ],
  }),
  ...bug('can1357/oh-my-pi#341', tests, effort, {
    'thinking with a forced tool': ['if (forced) {', 'if (forced === null) {'],
  }),
  ...bug('can1357/oh-my-pi#341', tests, 'src/main/translate/encode-messages.ts', {
    'thinking where any tool is forced': [forced, "choice?.kind === 'tool' || choice?.kind === 'search'"],
    'thinking where one tool is forced': [forced, "choice?.kind === 'required' || choice?.kind === 'search'"],
    'thinking where a search is forced': [forced, "choice?.kind === 'required' || choice?.kind === 'tool'"],
  }),
  ...bug('liuw1535/antigravity2api-nodejs#149', tests, effort, {
    'the usual limit under a large budget': ['maxTokens: Math.min(most, budget + headroom)', 'maxTokens: limit'],
    'a budget above the client’s limit': ['const room = Math.min(budget, limit - leastBudget)', 'const room = budget'],
    'a budget below the least': ['if (room >= leastBudget) {', 'if (room > 0) {'],
    'a budget above the ceiling': [
      'Math.min(asked.budgetTokens ?? budgets[wanted], most - leastBudget)',
      'asked.budgetTokens ?? budgets[wanted]',
    ],
  }),
  ...bug('lidge-jun/opencodex#256', tests, effort, {
    'a small limit for high effort': ['maxTokens === null && high ? most : limit', 'limit'],
    'a small limit for all but the highest': ["rank(wanted) >= rank('high')", "rank(wanted) > rank('xhigh')"],
  }),
  ...bug('lidge-jun/opencodex#256', tests, hearMessages, {
    'a cut answer as a whole one': ["max_tokens: 'length'", "max_tokens: 'end'"],
  }),
  ...bug('lidge-jun/opencodex#256', tests, hearChat, {
    'a cut answer of Chat as a whole one': ["length: 'length'", "length: 'end'"],
  }),
  ...bug('lidge-jun/opencodex#256', tests, tellResponses, {
    'a cut answer told as completed': ["if (isCut(this.#stop)) return 'max_output_tokens'\n", ''],
  }),
  ...bug('caozhiyuan/copilot-api#296', tests, effort, {
    'a level to a model without levels': [
      'if (known.length === 0) return null',
      'if (known.length === 0) return wanted',
    ],
    'thinking of a model that doesn’t think': ["if (abilities.thinking === 'none') {", 'if (abilities === null) {'],
  }),
  ...bug('caozhiyuan/copilot-api#296', tests, toResponses, {
    'thoughts asked of a model that has none': ['const reasons = abilities.efforts.length > 0', 'const reasons = true'],
  }),
  ...bug('caozhiyuan/copilot-api#296', tests, 'src/main/translate/encode-chat.ts', {
    'a level beside tools that exclude it': [
      'tools.length > 0 && !abilities.effortWithTools ? null : wanted',
      'wanted',
    ],
  }),
  ...bug('KunAgent/Kun#296', tests, effort, {
    'adaptive thinking without its level': [
      "return { thinking: { type: 'adaptive' }, effort, ",
      "return { thinking: { type: 'adaptive' }, effort: null, ",
    ],
    'one level for every budget': ["tokens <= 1_024 ? 'low' : tokens <= 8_192 ? 'medium' :", "tokens > 0 ? 'medium' :"],
    'one budget for every level': ['asked.budgetTokens ?? budgets[wanted]', '8_192'],
    'no level for OpenAI’s styles': ["mode === 'off' ? 'none' : (effort ?? (", "mode === 'off' ? 'none' : (("],
  }),
  ...bug('KunAgent/Kun#296', tests, 'src/main/translate/decode-messages.ts', {
    'no level of Messages': ["efforts.find((name) => name === (value === 'ultra' ? 'max' : value)) ?? null", 'null'],
  }),
  ...bug('KunAgent/Kun#296', tests, 'src/main/translate/decode-responses.ts', {
    'no level of OpenAI’s styles': [
      'return { mode, budgetTokens: null, effort, shown }',
      "return { mode, budgetTokens: null, effort: effort && 'medium', shown }",
    ],
  }),
]
