/** Pieces of requests in each dialect, for the tests of known bugs. */
import type { Any } from './kit.ts'

export const user = (content: unknown): object => ({ role: 'user', content })
export const ask = { role: 'user', content: 'a' }
export const fcall = (id: string, name = 'f', args = '{}'): object => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: args,
})
export const fout = (id: string, output: unknown = 'x'): object => ({
  type: 'function_call_output',
  call_id: id,
  output,
})
export const tcall = (id: string, name = 'f'): object => ({ id, type: 'function', function: { name, arguments: '{}' } })
export const tool = (name: string, schema: object | null = { type: 'object', properties: {} }): object => ({
  name,
  ...(schema === null ? {} : { input_schema: schema }),
})
export const messages = (...list: readonly object[]): object => ({ model: 'm', max_tokens: 100, messages: list })
export const chat = (...list: readonly object[]): object => ({ model: 'm', messages: list })
export const input = (...list: readonly object[]): object => ({ model: 'm', input: list })
export const roles = (body: Any): readonly string[] => body.messages.map(({ role }: Any) => role)
export const kinds = ({ content }: Any): readonly string[] => content.map(({ type }: Any) => type)
export const text = (said: string): object => ({ type: 'text', text: said })
export const use = (id: string, name = 'f', input: object = {}): object => ({ type: 'tool_use', id, name, input })
export const result = (id: string, content: unknown = 'x'): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
export const png = 'data:image/png;base64,AAAA'
export const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
