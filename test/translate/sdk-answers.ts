/** What clients get for the events of `sdk-asks.ts`, held to the vendors’ own types by the compiler; the test beside holds it to the translation. */
import type {
  ChatAnswer,
  ChatEvent,
  MessagesAnswer,
  MessagesEvent,
  ResponsesAnswer,
  ResponsesEvent,
} from './wire-types.ts'

export const messagesAnswer = {
  id: 'msg_seed',
  type: 'message',
  role: 'assistant',
  model: 'asked-model',
  content: [
    {
      type: 'thinking',
      thinking: 'Hm.',
      signature: 'rb1.eyJpc3MiOiJpc3N1ZXItb25lIiwia2luZCI6ImVuY3J5cHRlZCIsImJsb2IiOiJnQUFBIn0',
    },
    {
      type: 'text',
      text: 'It rains.',
    },
    {
      type: 'tool_use',
      id: 'call_1',
      name: 'weather',
      input: {
        city: 'Oslo',
      },
    },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: 4,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 5,
    output_tokens: 4,
    output_tokens_details: {
      thinking_tokens: 2,
    },
  },
} satisfies MessagesAnswer

export const messagesEvents = [
  {
    type: 'message_start',
    message: {
      id: 'msg_seed',
      type: 'message',
      role: 'assistant',
      model: 'asked-model',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 0,
      },
    },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: {
      type: 'thinking',
      thinking: '',
      signature: '',
    },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: {
      type: 'thinking_delta',
      thinking: 'Hm.',
    },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: {
      type: 'signature_delta',
      signature: 'rb1.eyJpc3MiOiJpc3N1ZXItb25lIiwia2luZCI6ImVuY3J5cHRlZCIsImJsb2IiOiJnQUFBIn0',
    },
  },
  {
    type: 'content_block_stop',
    index: 0,
  },
  {
    type: 'content_block_start',
    index: 1,
    content_block: {
      type: 'text',
      text: '',
    },
  },
  {
    type: 'content_block_delta',
    index: 1,
    delta: {
      type: 'text_delta',
      text: 'It rains.',
    },
  },
  {
    type: 'content_block_stop',
    index: 1,
  },
  {
    type: 'content_block_start',
    index: 2,
    content_block: {
      type: 'tool_use',
      id: 'call_1',
      name: 'weather',
      input: {},
    },
  },
  {
    type: 'content_block_delta',
    index: 2,
    delta: {
      type: 'input_json_delta',
      partial_json: '{"city":"Oslo"}',
    },
  },
  {
    type: 'content_block_stop',
    index: 2,
  },
  {
    type: 'message_delta',
    delta: {
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    usage: {
      input_tokens: 4,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 5,
      output_tokens: 4,
      output_tokens_details: {
        thinking_tokens: 2,
      },
    },
  },
  {
    type: 'message_stop',
  },
] satisfies readonly MessagesEvent[]

export const responsesAnswer = {
  id: 'resp_seed',
  object: 'response',
  created_at: 1800000000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'asked-model',
  output: [
    {
      id: 'rs_seed_0',
      type: 'reasoning',
      summary: [
        {
          type: 'summary_text',
          text: 'Hm.',
        },
      ],
      encrypted_content: 'rb1.eyJpc3MiOiJpc3N1ZXItb25lIiwia2luZCI6InNpZ25hdHVyZSIsImJsb2IiOiJjMmxuIn0',
    },
    {
      id: 'msg_seed_1',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'It rains.',
          annotations: [],
          logprobs: [],
        },
      ],
    },
    {
      id: 'fc_seed_2',
      type: 'function_call',
      status: 'completed',
      call_id: 'toolu_1',
      name: 'weather',
      arguments: '{"city":"Oslo"}',
    },
  ],
  usage: {
    input_tokens: 10,
    input_tokens_details: {
      cached_tokens: 0,
      cache_write_tokens: 0,
    },
    output_tokens: 5,
    output_tokens_details: {
      reasoning_tokens: 0,
    },
    total_tokens: 15,
  },
  instructions: 'Be brief.',
  metadata: {},
  parallel_tool_calls: false,
  temperature: null,
  tool_choice: {
    type: 'function',
    name: 'weather',
  },
  tools: [
    {
      type: 'function',
      name: 'weather',
      description: 'd',
      parameters: {
        type: 'object',
        properties: {
          city: {
            type: 'string',
          },
        },
        required: ['city'],
        additionalProperties: false,
      },
      strict: true,
    },
    {
      type: 'custom',
      name: 'patch',
      description: 'd',
      format: {
        type: 'text',
      },
    },
  ],
  top_p: null,
  top_logprobs: 2,
  max_output_tokens: 900,
  previous_response_id: null,
  reasoning: {
    effort: 'low',
    summary: 'auto',
  },
  store: false,
  text: {
    format: {
      type: 'json_schema',
      name: 'answer',
      schema: {
        type: 'object',
        properties: {
          city: {
            type: 'string',
          },
        },
        required: ['city'],
        additionalProperties: false,
      },
      strict: true,
    },
    verbosity: 'low',
  },
  truncation: 'disabled',
  user: null,
} satisfies ResponsesAnswer

export const responsesEvents = [
  {
    type: 'response.created',
    sequence_number: 0,
    response: {
      id: 'resp_seed',
      object: 'response',
      created_at: 1800000000,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      model: 'asked-model',
      output: [],
      usage: null,
      instructions: 'Be brief.',
      metadata: {},
      parallel_tool_calls: false,
      temperature: null,
      tool_choice: {
        type: 'function',
        name: 'weather',
      },
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'd',
          parameters: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        {
          type: 'custom',
          name: 'patch',
          description: 'd',
          format: {
            type: 'text',
          },
        },
      ],
      top_p: null,
      top_logprobs: 2,
      max_output_tokens: 900,
      previous_response_id: null,
      reasoning: {
        effort: 'low',
        summary: 'auto',
      },
      store: false,
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        verbosity: 'low',
      },
      truncation: 'disabled',
      user: null,
    },
  },
  {
    type: 'response.in_progress',
    sequence_number: 1,
    response: {
      id: 'resp_seed',
      object: 'response',
      created_at: 1800000000,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      model: 'asked-model',
      output: [],
      usage: null,
      instructions: 'Be brief.',
      metadata: {},
      parallel_tool_calls: false,
      temperature: null,
      tool_choice: {
        type: 'function',
        name: 'weather',
      },
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'd',
          parameters: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        {
          type: 'custom',
          name: 'patch',
          description: 'd',
          format: {
            type: 'text',
          },
        },
      ],
      top_p: null,
      top_logprobs: 2,
      max_output_tokens: 900,
      previous_response_id: null,
      reasoning: {
        effort: 'low',
        summary: 'auto',
      },
      store: false,
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        verbosity: 'low',
      },
      truncation: 'disabled',
      user: null,
    },
  },
  {
    type: 'response.output_item.added',
    sequence_number: 2,
    output_index: 0,
    item: {
      id: 'rs_seed_0',
      type: 'reasoning',
      summary: [],
    },
  },
  {
    type: 'response.reasoning_summary_part.added',
    sequence_number: 3,
    item_id: 'rs_seed_0',
    output_index: 0,
    summary_index: 0,
    part: {
      type: 'summary_text',
      text: '',
    },
  },
  {
    type: 'response.reasoning_summary_text.delta',
    sequence_number: 4,
    item_id: 'rs_seed_0',
    output_index: 0,
    summary_index: 0,
    delta: 'Hm.',
  },
  {
    type: 'response.reasoning_summary_text.done',
    sequence_number: 5,
    item_id: 'rs_seed_0',
    output_index: 0,
    summary_index: 0,
    text: 'Hm.',
  },
  {
    type: 'response.reasoning_summary_part.done',
    sequence_number: 6,
    item_id: 'rs_seed_0',
    output_index: 0,
    summary_index: 0,
    part: {
      type: 'summary_text',
      text: 'Hm.',
    },
  },
  {
    type: 'response.output_item.done',
    sequence_number: 7,
    output_index: 0,
    item: {
      id: 'rs_seed_0',
      type: 'reasoning',
      summary: [
        {
          type: 'summary_text',
          text: 'Hm.',
        },
      ],
      encrypted_content: 'rb1.eyJpc3MiOiJpc3N1ZXItb25lIiwia2luZCI6InNpZ25hdHVyZSIsImJsb2IiOiJjMmxuIn0',
    },
  },
  {
    type: 'response.output_item.added',
    sequence_number: 8,
    output_index: 1,
    item: {
      id: 'msg_seed_1',
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    },
  },
  {
    type: 'response.content_part.added',
    sequence_number: 9,
    item_id: 'msg_seed_1',
    output_index: 1,
    content_index: 0,
    part: {
      type: 'output_text',
      text: '',
      annotations: [],
      logprobs: [],
    },
  },
  {
    type: 'response.output_text.delta',
    sequence_number: 10,
    item_id: 'msg_seed_1',
    output_index: 1,
    content_index: 0,
    delta: 'It rains.',
    logprobs: [],
  },
  {
    type: 'response.output_text.done',
    sequence_number: 11,
    item_id: 'msg_seed_1',
    output_index: 1,
    content_index: 0,
    text: 'It rains.',
    logprobs: [],
  },
  {
    type: 'response.content_part.done',
    sequence_number: 12,
    item_id: 'msg_seed_1',
    output_index: 1,
    content_index: 0,
    part: {
      type: 'output_text',
      text: 'It rains.',
      annotations: [],
      logprobs: [],
    },
  },
  {
    type: 'response.output_item.done',
    sequence_number: 13,
    output_index: 1,
    item: {
      id: 'msg_seed_1',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'It rains.',
          annotations: [],
          logprobs: [],
        },
      ],
    },
  },
  {
    type: 'response.output_item.added',
    sequence_number: 14,
    output_index: 2,
    item: {
      id: 'fc_seed_2',
      type: 'function_call',
      status: 'in_progress',
      call_id: 'toolu_1',
      name: 'weather',
      arguments: '',
    },
  },
  {
    type: 'response.function_call_arguments.delta',
    sequence_number: 15,
    item_id: 'fc_seed_2',
    output_index: 2,
    delta: '{"city":"Oslo"}',
  },
  {
    type: 'response.function_call_arguments.done',
    sequence_number: 16,
    item_id: 'fc_seed_2',
    output_index: 2,
    name: 'weather',
    arguments: '{"city":"Oslo"}',
  },
  {
    type: 'response.output_item.done',
    sequence_number: 17,
    output_index: 2,
    item: {
      id: 'fc_seed_2',
      type: 'function_call',
      status: 'completed',
      call_id: 'toolu_1',
      name: 'weather',
      arguments: '{"city":"Oslo"}',
    },
  },
  {
    type: 'response.completed',
    sequence_number: 18,
    response: {
      id: 'resp_seed',
      object: 'response',
      created_at: 1800000000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'asked-model',
      output: [
        {
          id: 'rs_seed_0',
          type: 'reasoning',
          summary: [
            {
              type: 'summary_text',
              text: 'Hm.',
            },
          ],
          encrypted_content: 'rb1.eyJpc3MiOiJpc3N1ZXItb25lIiwia2luZCI6InNpZ25hdHVyZSIsImJsb2IiOiJjMmxuIn0',
        },
        {
          id: 'msg_seed_1',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'It rains.',
              annotations: [],
              logprobs: [],
            },
          ],
        },
        {
          id: 'fc_seed_2',
          type: 'function_call',
          status: 'completed',
          call_id: 'toolu_1',
          name: 'weather',
          arguments: '{"city":"Oslo"}',
        },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: {
          cached_tokens: 0,
          cache_write_tokens: 0,
        },
        output_tokens: 5,
        output_tokens_details: {
          reasoning_tokens: 0,
        },
        total_tokens: 15,
      },
      instructions: 'Be brief.',
      metadata: {},
      parallel_tool_calls: false,
      temperature: null,
      tool_choice: {
        type: 'function',
        name: 'weather',
      },
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'd',
          parameters: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        {
          type: 'custom',
          name: 'patch',
          description: 'd',
          format: {
            type: 'text',
          },
        },
      ],
      top_p: null,
      top_logprobs: 2,
      max_output_tokens: 900,
      previous_response_id: null,
      reasoning: {
        effort: 'low',
        summary: 'auto',
      },
      store: false,
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: {
            type: 'object',
            properties: {
              city: {
                type: 'string',
              },
            },
            required: ['city'],
            additionalProperties: false,
          },
          strict: true,
        },
        verbosity: 'low',
      },
      truncation: 'disabled',
      user: null,
    },
  },
] satisfies readonly ResponsesEvent[]

export const chatAnswer = {
  id: 'chatcmpl-seed',
  object: 'chat.completion',
  created: 1800000000,
  model: 'asked-model',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'It rains.',
        refusal: null,
        reasoning_content: 'Hm.',
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: {
              name: 'weather',
              arguments: '{"city":"Oslo"}',
            },
          },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: {
      cached_tokens: 0,
      cache_write_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: 0,
    },
  },
} satisfies ChatAnswer

export const chatEvents = [
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {
          role: 'assistant',
          content: '',
        },
        logprobs: null,
        finish_reason: null,
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {
          reasoning_content: 'Hm.',
        },
        logprobs: null,
        finish_reason: null,
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {
          content: 'It rains.',
        },
        logprobs: null,
        finish_reason: null,
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              index: 0,
              id: 'toolu_1',
              type: 'function',
              function: {
                name: 'weather',
                arguments: '',
              },
            },
          ],
        },
        logprobs: null,
        finish_reason: null,
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              index: 0,
              function: {
                arguments: '{"city":"Oslo"}',
              },
            },
          ],
        },
        logprobs: null,
        finish_reason: null,
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [
      {
        index: 0,
        delta: {},
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: null,
  },
  {
    id: 'chatcmpl-seed',
    object: 'chat.completion.chunk',
    created: 1800000000,
    model: 'asked-model',
    choices: [],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: {
        cached_tokens: 0,
        cache_write_tokens: 0,
      },
      completion_tokens_details: {
        reasoning_tokens: 0,
      },
    },
  },
] satisfies readonly ChatEvent[]
