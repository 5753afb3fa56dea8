/** The LLM gateways from npm that can be measured beside ours, where they are installed: in one case only, they are slow. */
export const gatewayVendor = 'vendor'

/** `file`: how it is started; `prefix`: what it wants before a model's name. */
export const gateways = [
  { name: 'llms', module: '@musistudio/llms', file: 'llms.mjs', prefix: `${gatewayVendor},` },
  { name: 'laminar', module: '@lmnr-ai/claude-code-proxy', file: 'laminar.mjs', prefix: '' },
]

export const gatewayCases = new Set(['json, 16 connections'])
