/** What goes upstream for the asks of `sdk-asks.ts`, held to the vendors’ own types by the compiler; the test beside holds it to the translation. */
import type { ChatRequest, MessagesRequest, ResponsesRequest } from './wire-types.ts'

export const messagesRequest = {
  model: 'upstream-model',
  max_tokens: 9000,
  system: [
    {
      type: 'text',
      text: 'Be brief.',
      cache_control: {
        type: 'ephemeral',
      },
    },
  ],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: 'Look.',
        },
        {
          type: 'image',
          source: {
            type: 'base64',
            media_type: 'image/png',
            data: 'AAAA',
          },
          cache_control: {
            type: 'ephemeral',
          },
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'text',
          text: 'I ask.',
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
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: 'no rain',
          is_error: true,
        },
        {
          type: 'text',
          text: 'And?',
          cache_control: {
            type: 'ephemeral',
          },
        },
      ],
    },
  ],
  tools: [
    {
      name: 'weather',
      description: 'd',
      input_schema: {
        type: 'object',
        properties: {
          city: {
            type: 'string',
          },
        },
        required: ['city'],
        additionalProperties: false,
      },
    },
    {
      name: 'patch',
      description: 'd',
      input_schema: {
        type: 'object',
        properties: {
          input: {
            type: 'string',
          },
        },
        required: ['input'],
        additionalProperties: false,
      },
    },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      cache_control: {
        type: 'ephemeral',
      },
    },
  ],
  tool_choice: {
    type: 'auto',
    disable_parallel_tool_use: true,
  },
  thinking: {
    type: 'disabled',
  },
  output_config: {
    format: {
      type: 'json_schema',
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
    },
  },
  stop_sequences: ['END'],
  temperature: 0.5,
  metadata: {
    user_id: '0bfe935e70c321c7ca3afc75ce0d0ca2f98b5422e008bb31c00c6d7f1f1c0ad6',
  },
  stream: true,
} satisfies MessagesRequest

export const responsesRequest = {
  model: 'upstream-model',
  instructions: 'Be brief.',
  input: [
    {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: 'Look.',
          prompt_cache_breakpoint: { mode: 'explicit' },
        },
        {
          type: 'input_image',
          image_url: 'data:image/png;base64,AAAA',
          detail: 'auto',
        },
        {
          type: 'input_file',
          filename: 'a.pdf',
          file_data: 'data:application/pdf;base64,AAAA',
        },
      ],
    },
    {
      type: 'message',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'I ask.',
          annotations: [],
        },
      ],
    },
    {
      type: 'function_call',
      call_id: 'toolu_1',
      name: 'weather',
      arguments: '{"city":"Oslo"}',
    },
    {
      type: 'function_call_output',
      call_id: 'toolu_1',
      output: [
        {
          type: 'input_text',
          text: 'Rain',
        },
        {
          type: 'input_image',
          image_url: 'data:image/png;base64,AAAA',
          detail: 'auto',
        },
      ],
    },
    {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: 'And?',
        },
      ],
    },
  ],
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
      type: 'web_search',
      filters: {
        allowed_domains: ['example.com'],
      },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: {
    effort: 'medium',
    summary: 'auto',
  },
  text: {
    format: {
      type: 'json_schema',
      name: 'output',
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
  },
  max_output_tokens: 9000,
  store: false,
  include: ['reasoning.encrypted_content', 'web_search_call.action.sources'],
  safety_identifier: '0bfe935e70c321c7ca3afc75ce0d0ca2f98b5422e008bb31c00c6d7f1f1c0ad6',
  stream: true,
} satisfies ResponsesRequest

export const chatRequest = {
  model: 'upstream-model',
  messages: [
    {
      role: 'developer',
      content: 'Be brief.',
    },
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: 'Look.',
        },
        {
          type: 'image_url',
          image_url: {
            url: 'data:image/png;base64,AAAA',
            detail: 'low',
          },
        },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: {
            name: 'weather',
            arguments: '{"city":"Oslo"}',
          },
        },
        {
          id: 'call_2',
          type: 'custom',
          custom: {
            name: 'patch',
            input: 'raw',
          },
        },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'Rain',
    },
    {
      role: 'tool',
      tool_call_id: 'call_2',
      content: 'ok',
    },
    {
      role: 'developer',
      content: 'Now.',
    },
    {
      role: 'user',
      content: 'And?',
    },
  ],
  tools: [
    {
      type: 'function',
      function: {
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
    },
    {
      type: 'custom',
      custom: {
        name: 'patch',
        description: 'd',
        format: {
          type: 'text',
        },
      },
    },
  ],
  tool_choice: {
    type: 'function',
    function: {
      name: 'weather',
    },
  },
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  response_format: {
    type: 'json_schema',
    json_schema: {
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
  },
  verbosity: 'low',
  max_completion_tokens: 900,
  logprobs: true,
  top_logprobs: 2,
  prompt_cache_key: 'k',
  safety_identifier: '0bfe935e70c321c7ca3afc75ce0d0ca2f98b5422e008bb31c00c6d7f1f1c0ad6',
  stream: true,
  stream_options: {
    include_usage: true,
  },
} satisfies ChatRequest
