/** Known bugs of other translators in tools (bridge §6.9): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  begun,
  chatCall,
  completed,
  delta,
  refusalOf,
  request,
  type Streamed,
  stopped,
  stream,
  used,
} from './kit.ts'
import { ask, chat, fcall, fout, input, messages, result, tool, use, user } from './request-kit.ts'

describe('6.9 tools', () => {
  const find = { type: 'function', name: 'find', parameters: {} }
  const namespace = (name: string, ...tools: readonly object[]): object => ({ type: 'namespace', name, tools })
  const files = namespace('mcp__files', find, { type: 'custom', name: 'write' })
  const namespaced = {
    ...input(ask, { ...fcall('a', 'find'), namespace: 'mcp__files' }, fout('a')),
    tools: [files],
  }
  /** What a Responses client gets for one call of an upstream. */
  const calledIn = (upstream: 'messages' | 'chat', name: string, args: string, context: Any): Streamed =>
    upstream === 'messages'
      ? stream(upstream, 'responses', [begun(), ...used(0, 'b', name, args), ...stopped('tool_use')], context)
      : stream(
          upstream,
          'responses',
          [delta({ tool_calls: [chatCall(0, 'b', name, args)] }), delta({}, 'tool_calls')],
          context,
        )
  const itemsIn = ({ events, whole }: Streamed): readonly Any[] => [
    ...events.flatMap(({ item }) => item ?? []),
    whole.output[0],
  ]
  test('router-for-me/CLIProxyAPI#4255 a call comes back with its namespace', () => {
    for (const to of ['messages', 'chat'] as const) {
      const { context } = request('responses', to, namespaced, { abilities: { customTools: false } })
      for (const [name, args] of [
        ['find', '{}'],
        ['write', '{"input":"x"}'],
      ] as const) {
        const items = itemsIn(calledIn(to, `mcp__files__${name}`, args, context))
        expect(items.map((item) => [item.name, item.namespace])).toEqual(
          Array.from({ length: 3 }, () => [name, 'mcp__files']),
        )
      }
    }
  })
  test('openai/codex#33263 namespaces are flattened for others, history too', () => {
    const web = namespace('mcp__web__', find)
    const body = {
      ...input(ask, { ...fcall('a', 'find'), namespace: 'mcp__web__' }, fout('a')),
      tools: [files, web, { type: 'function', name: 'mcp__files__find' }],
      tool_choice: { type: 'function', name: 'find', namespace: 'mcp__web__' },
    }
    const there = request('responses', 'messages', body)
    const chat = request('responses', 'chat', body, { abilities: { customTools: false } }).body
    const names = there.body.tools.map(({ name }: Any) => name)
    // One that stands alone keeps its name, the other's is told apart.
    expect([names.slice(1), /^mcp__files__find_[0-9a-f]{8}$/.test(names[0]), there.codes]).toEqual([
      ['mcp__files__write', 'mcp__web__find', 'mcp__files__find'],
      true,
      ['namespace_flattened', 'tool_emulated'],
    ])
    expect([
      there.body.messages[1].content[0].name,
      there.body.tool_choice.name,
      chat.messages[1].tool_calls[0].function.name,
      chat.tool_choice.function.name,
      chat.tools.map((tool: Any) => tool.function.name),
    ]).toEqual([...Array.from({ length: 4 }, () => 'mcp__web__find'), names])
  })
  test('openai/codex#23186 a merged name comes back as its parts, one without a namespace as it is', () => {
    const { body, context } = request('responses', 'messages', {
      ...input(ask),
      tools: [namespace('mcp.files', find), namespace('mcp.web', find)],
    })
    const parts = (name: string, made: Any): unknown =>
      itemsIn(calledIn('messages', name, '{}', made)).map((item) => [item.name, item.namespace].join(' '))
    const thrice = (name: string): readonly string[] => Array.from({ length: 3 }, () => name)
    expect(body.tools.map(({ name }: Any) => parts(name, context))).toEqual([
      thrice('find mcp.files'),
      thrice('find mcp.web'),
    ])
    expect([parts('plain__name', {}), parts('plain.name', context)]).toEqual([
      thrice('plain__name '),
      thrice('plain.name '),
    ])
  })
  const [history, output] = [
    { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch' },
    { type: 'custom_tool_call_output', call_id: 'a' },
  ] as const
  const freeform = {
    ...input(ask),
    tools: [
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Patches',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
      },
    ],
  }
  test('decolua/9router#1371 a free-form call comes back with its raw text', () => {
    const body = { ...freeform, input: [ask, { ...history, input: 'raw' }, { ...output, output: 'done' }] }
    for (const to of ['messages', 'chat'] as const) {
      const { body: there, context } = request('responses', to, body, { abilities: { customTools: false } })
      // In the history too.
      const [, { content, tool_calls: calls }] = there.messages
      expect(to === 'chat' ? JSON.parse(calls[0].function.arguments) : content[0].input).toEqual({ input: 'raw' })
      for (const args of ['{"input":"*** Begin"}', '{"patch":"*** Begin"}', '{"code":"*** Begin"}', '"*** Begin"']) {
        const { whole, events } = calledIn(to, 'apply_patch', args, context)
        const call = { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' }
        expect([whole.output[0], events.find(({ type }) => /input\.done$/.test(type))]).toMatchObject([
          call,
          { type: 'response.custom_tool_call_input.done', input: '*** Begin' },
        ])
      }
    }
    const custom = { id: 'a', type: 'custom', custom: { name: 'apply_patch', input: 'raw' } }
    const old = chat(
      ask,
      { role: 'assistant', tool_calls: [custom] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    )
    expect(request('chat', 'responses', old, { abilities: { customTools: false } }).body.input[1].arguments).toBe(
      '{"input":"raw"}',
    )
  })
  test('icebear0828/codex-proxy#707 a free-form tool tells its grammar', () => {
    const abilities = { customTools: false }
    const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: x' } }
    const old = { ...chat(ask), tools: [{ type: 'custom', custom: { name: 'apply_patch', format: grammar } }] }
    const emulated = [
      request('responses', 'messages', freeform).body.tools[0],
      request('responses', 'chat', freeform, { abilities }).body.tools[0].function,
      request('chat', 'responses', old, { abilities }).body.tools[0],
      request('chat', 'messages', old).body.tools[0],
    ]
    for (const tool of emulated) {
      expect([(tool.input_schema ?? tool.parameters).properties, tool.description]).toEqual([
        { input: { type: 'string' } },
        expect.stringContaining('start: x'),
      ])
    }
  })
  test('router-for-me/CLIProxyAPI#4812 a shell tool is emulated, a hosted one refused', () => {
    const shell = { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }
    const told = { type: 'shell_call_output', call_id: 'a', output: [{ stdout: 'b', outcome: { exit_code: 0 } }] }
    const declared = { ...input(ask, shell, told), tools: [{ type: 'shell' }, { type: 'apply_patch' }] }
    for (const to of ['messages', 'chat'] as const) {
      const { body, context } = request('responses', to, declared)
      const schemas = body.tools.map((tool: Any) => tool.input_schema ?? tool.function.parameters)
      expect(schemas.map(({ required }: Any) => required)).toEqual([['commands'], ['operation']])
      expect(JSON.stringify(body.messages[2])).toContain('b\\nexit code 0')
      expect(itemsIn(calledIn(to, 'shell', '{"commands":["ls"]}', context)).at(-1)).toMatchObject({
        type: 'shell_call',
        action: { commands: ['ls'] },
      })
      const [, patched] = itemsIn(calledIn(to, 'apply_patch', '{"operation":{"type":"delete_file"}}', context))
      expect(patched).toMatchObject({ type: 'apply_patch_call', operation: { type: 'delete_file' } })
      const hosted = { type: 'shell', environment: { type: 'container_auto' } }
      expect(refusalOf('responses', to, { ...input(ask), tools: [hosted] })).toBe('hosted_shell_not_portable')
    }
  })
  test('diegosouzapw/OmniRoute#3534 local_shell is emulated and comes back as itself', () => {
    const action = { type: 'exec', command: ['ls', '-l'] }
    const { body, context } = request('responses', 'messages', {
      ...input(
        ask,
        { type: 'local_shell_call', call_id: 'a', action },
        { type: 'local_shell_call_output', call_id: 'a', output: 'b' },
      ),
      tools: [{ type: 'local_shell' }],
    })
    const items = itemsIn(calledIn('messages', 'local_shell', '{"command":["ls","-l"]}', context))
    expect([
      body.tools[0].name,
      body.messages[1].content,
      body.messages[2].content,
      items[1].type,
      items[1].action.command,
    ]).toEqual([
      'local_shell',
      [use('a', 'local_shell', { command: ['ls', '-l'] })],
      [result('a', 'b')],
      'local_shell_call',
      ['ls', '-l'],
    ])
  })
  test('10/chatgpt-codex-proxy#9 additional_tools are tools, not a message', () => {
    const tools = ['g', 'f'].map((name) => ({ type: 'function', name, description: 'later' }))
    const body = {
      ...input(ask, { type: 'additional_tools', role: 'developer', tools }),
      tools: [{ type: 'function', name: 'f', description: 'first' }],
    }
    const there = request('responses', 'messages', body).body
    const chat = request('responses', 'chat', body).body
    const told = (tool: Any): unknown => [tool.name, tool.description]
    expect([there.messages.length, there.tools.map(told), chat.messages.length]).toEqual([
      1,
      [
        ['f', 'first'],
        ['g', 'later'],
      ],
      1,
    ])
    expect(chat.tools.map((tool: Any) => told(tool.function))).toEqual(there.tools.map(told))
  })
  test('cline/cline#11885 a long name is shortened and comes back', () => {
    const [long, other] = [`tool_${'x'.repeat(80)}`, `tool_${'x'.repeat(80)}y`] as const
    const asked = {
      ...messages(ask, { role: 'assistant', content: [use('a', long)] }, user([result('a')])),
      tools: [tool(other), tool(long)],
      tool_choice: { type: 'tool', name: long },
    }
    for (const to of ['responses', 'chat'] as const) {
      const { body, context } = request('messages', to, asked)
      const [first, name] = body.tools.map((each: Any) => each.name ?? each.function.name)
      const call = to === 'chat' ? body.messages[1].tool_calls[0].function : body.input[1]
      const choice = body.tool_choice.name ?? body.tool_choice.function.name
      expect([name.length <= 64, name === first, call.name, choice]).toEqual([true, false, name, name])
      const events =
        to === 'chat'
          ? [delta({ tool_calls: [chatCall(0, 'a', name, '{}')] }), delta({}, 'tool_calls')]
          : [completed([{ type: 'function_call', call_id: 'a', name, arguments: '{}' }])]
      const { whole, events: sent } = stream(to, 'messages', events, context)
      expect([whole.content[0].name, sent[1].content_block.name]).toEqual([long, long])
    }
  })
  test('icebear0828/codex-proxy#22 an object schema gets properties', () => {
    for (const schema of [{ type: 'object' }, {}, null]) {
      const asked = { ...messages(ask), tools: [tool('f', schema)] }
      const plain = { type: 'function', name: 'f', ...(schema === null ? {} : { parameters: schema }) }
      const old = { type: 'function', function: plain }
      expect([
        request('messages', 'responses', asked).body.tools[0].parameters,
        request('messages', 'chat', asked).body.tools[0].function.parameters,
        request('responses', 'messages', { ...input(ask), tools: [plain] }).body.tools[0].input_schema,
        request('chat', 'messages', { ...chat(ask), tools: [old] }).body.tools[0].input_schema,
      ]).toEqual(Array.from({ length: 4 }, () => ({ type: 'object', properties: {} })))
    }
  })
  test('BerriAI/litellm#36979 strict is always said', () => {
    const old = {
      ...chat(ask),
      tools: [
        { type: 'function', function: { name: 'f' } },
        { type: 'custom', custom: { name: 'g' } },
      ],
    }
    expect([
      request('messages', 'responses', { ...messages(ask), tools: [tool('f')] }).body.tools[0].strict,
      ...request('chat', 'responses', old, { abilities: { customTools: false } }).body.tools.map(
        ({ strict }: Any) => strict,
      ),
    ]).toEqual([false, false, false])
  })
  test('ericc-ch/copilot-api#241 typed tools without a schema don’t crash', () => {
    const typed = ['bash_20250124', 'text_editor_20250728', 'memory_20250818', 'web_search_20250305']
    const names = ['bash', 'str_replace_based_edit_tool', 'memory', 'web_search']
    const asked = { ...messages(ask), tools: typed.map((type, at) => ({ type, name: names[at] })) }
    for (const to of ['responses', 'chat'] as const) {
      const { body, codes } = request('messages', to, asked)
      const tools = body.tools.map((each: Any) => each.function ?? each)
      expect([tools.map(({ name }: Any) => name), codes]).toEqual([
        names.slice(0, 3),
        ['client_tool_emulated', 'server_tool_removed'],
      ])
      expect(tools.map(({ parameters }: Any) => parameters.properties.command.type)).toEqual(
        Array.from({ length: 3 }, () => 'string'),
      )
    }
  })
  test('zts212653/clowder-ai#1077 a web search nobody runs is left out, or refused where it is all there is', () => {
    const [search, fetch, other] = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'web_search' },
    ] as const
    const [asked, there] = [messages(ask), input(ask)] as const
    const force = { tool_choice: { type: 'tool', name: 'web_search' } }
    const removed = request('messages', 'chat', { ...asked, tools: [search, tool('f')] })
    expect([removed.codes, removed.body.tools.length, removed.body.web_search_options]).toEqual([
      ['server_tool_removed'],
      1,
      undefined,
    ])
    const refused = [
      refusalOf('messages', 'chat', { ...asked, tools: [search] }),
      refusalOf('messages', 'responses', { ...asked, tools: [search, tool('f')], ...force }),
      refusalOf('messages', 'responses', { ...asked, tools: [search, fetch] }),
      refusalOf('messages', 'responses', { ...asked, tools: [fetch, { ...fetch, type: 'code_execution_20250825' }] }),
      refusalOf('responses', 'messages', { ...there, tools: [other] }),
      refusalOf('responses', 'chat', { ...there, tools: [{ type: 'file_search' }, { type: 'code_interpreter' }] }),
    ]
    expect(refused).toEqual(refused.map(() => 'server_tool_unsupported'))
    // Where the upstream runs it, it is carried, by force too.
    const able = { abilities: { webSearch: true } }
    const carried = (tools: readonly object[], more: object = {}): unknown => {
      const { body } = request('messages', 'responses', { ...asked, tools, ...more }, able)
      return [body.tools.map(({ type }: Any) => type), body.tool_choice]
    }
    const back = request(
      'responses',
      'messages',
      { ...there, tools: [other], tool_choice: { type: 'web_search' } },
      able,
    )
    expect([carried([search]), carried([search], force), carried([search, tool('f')], force)]).toEqual([
      [['web_search'], undefined],
      [['web_search'], 'required'],
      [['function', 'web_search'], { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] }],
    ])
    expect([back.body.tools, back.body.tool_choice]).toEqual([[search], force.tool_choice])
  })
  test('langchain4j/langchain4j#5890 one call at a time is carried without a choice', () => {
    const one = { parallel_tool_calls: false }
    const f = { type: 'function', name: 'f' }
    const asked = (more: object): unknown =>
      request('responses', 'messages', { ...input(ask), ...one, ...more }).body.tool_choice
    const old = { ...chat(ask), ...one, tools: [{ type: 'function', function: f }] }
    const carried = { type: 'auto', disable_parallel_tool_use: true }
    expect([
      request('chat', 'messages', old).body.tool_choice,
      asked({ tools: [f] }),
      asked({ tools: [f], tool_choice: 'required' }),
      asked({ tools: [f], tool_choice: 'none' }),
      asked({}),
    ]).toEqual([carried, carried, { ...carried, type: 'any' }, { type: 'none' }, undefined])
    const back = { ...messages(ask), tools: [tool('f')], tool_choice: carried }
    expect([
      request('messages', 'responses', back).body.parallel_tool_calls,
      request('messages', 'chat', back).body.parallel_tool_calls,
    ]).toEqual([false, false])
  })
  test('dynamiq-ai/dynamiq#753 none stays none', () => {
    const f = { type: 'function', name: 'f' }
    const old = { ...chat(ask), tools: [{ type: 'function', function: f }], tool_choice: 'none' }
    const there = { ...input(ask), tools: [f], tool_choice: 'none' }
    const asked = { ...messages(ask), tools: [tool('f')], tool_choice: { type: 'none' } }
    expect([
      request('chat', 'messages', old).body.tool_choice,
      request('responses', 'messages', there).body.tool_choice,
      request('messages', 'responses', asked).body.tool_choice,
      request('chat', 'responses', old).body.tool_choice,
      request('messages', 'chat', asked).body.tool_choice,
      request('responses', 'chat', there).body.tool_choice,
    ]).toEqual([{ type: 'none' }, { type: 'none' }, 'none', 'none', 'none', 'none'])
  })
  test('a forced tool that isn’t there is refused', () => {
    expect(
      refusalOf('chat', 'messages', {
        ...chat(ask),
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'g' } },
      }),
    ).toBe('tool_unavailable')
  })
})
