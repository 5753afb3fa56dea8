/** The content blocks of a Messages stream as far as they have come. */

export interface Block {
  readonly type: string
  /** Its part's; texts that stand together are one. */
  readonly key: number
  /** What came whole in the start event, sent on unless deltas follow. */
  readonly input: string
  opened: boolean
  /** All that was sent on. */
  sent: string
}

/** What the vendor ran itself. */
export const isServers = (type: string): boolean =>
  type === 'server_tool_use' || type === 'mcp_tool_use' || type.endsWith('_tool_result')
