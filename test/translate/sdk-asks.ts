/** A request and an answer in each dialect with something of every kind, for the check against the vendors' types. */
import { begun, block, completed, created, stopped, used } from './kit.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const
const picture = 'data:image/png;base64,AAAA'

export const asked = {
  messages: {
    model: 'm',
    max_tokens: 9_000,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    tools: [
      { name: 'weather', description: 'd', input_schema: schema, strict: true },
      { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'] },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    output_config: { format: { type: 'json_schema', schema } },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }, title: 'a.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I ask.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'Rain' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  },
  responses: {
    model: 'm',
    instructions: 'Be brief.',
    max_output_tokens: 900,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'answer', schema, strict: true }, verbosity: 'low' },
    include: ['message.output_text.logprobs'],
    top_logprobs: 2,
    safety_identifier: 'u',
    prompt_cache_key: 'k',
    parallel_tool_calls: false,
    tools: [
      { type: 'function', name: 'weather', description: 'd', parameters: schema, strict: true },
      { type: 'custom', name: 'patch', description: 'd', format: { type: 'text' } },
    ],
    tool_choice: { type: 'function', name: 'weather' },
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: picture, detail: 'low' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'raw' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'ok' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Now.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
    ],
  },
  chat: {
    model: 'm',
    max_completion_tokens: 9_000,
    reasoning_effort: 'medium',
    temperature: 0.5,
    stop: ['END'],
    user: 'u',
    parallel_tool_calls: false,
    web_search_options: {},
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    tools: [
      { type: 'function', function: { name: 'weather', description: 'd', parameters: schema } },
      { type: 'custom', custom: { name: 'patch', description: 'd' } },
    ],
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
      {
        role: 'assistant',
        content: 'I ask.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '[tool error] no rain' },
      { role: 'user', content: 'And?' },
    ],
  },
} as const

const usage = {
  input_tokens: 9,
  output_tokens: 4,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens_details: { reasoning_tokens: 2 },
}

export const upstreamEvents = {
  messages: [
    begun(),
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'It rains.' }),
    ...used(2, 'toolu_1', 'weather', '{"city":"Oslo"}'),
    ...stopped('tool_use'),
  ],
  responses: [
    created,
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      item_id: 'rs',
      summary_index: 0,
      delta: 'Hm.',
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'gAAA',
      },
    },
    { type: 'response.output_text.delta', output_index: 1, item_id: 'm', content_index: 0, delta: 'It rains.' },
    {
      type: 'response.output_item.done',
      output_index: 2,
      item: { type: 'function_call', id: 'fc', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    },
    completed([], usage),
  ],
} as const
