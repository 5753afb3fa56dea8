/** Claude Code pointed at Pointsman by its two environment variables, signed in nowhere (claude §7). */
import { join } from 'node:path'
import type { ToolCall } from '../../src/main/practice/practice.ts'
import { type CliRun, runCli } from './run-cli.ts'

export const model = 'claude-opus-5-5'

export interface ClaudeHome {
  run(args: readonly string[], boundMs?: number): Promise<CliRun>
}

/** `base` ends in the provider id. */
export function claudeCode(folder: string, base: string, key: string): ClaudeHome {
  return {
    run: (args, boundMs) =>
      runCli('claude', args, {
        folder,
        environment: {
          CLAUDE_CONFIG_DIR: join(folder, 'claude'),
          ANTHROPIC_BASE_URL: base,
          ANTHROPIC_AUTH_TOKEN: key,
          ANTHROPIC_MODEL: model,
          DISABLE_AUTOUPDATER: '1',
        },
        ...(boundMs === undefined ? {} : { boundMs }),
      }),
  }
}

/** One turn; the tools that the scripts call are allowed beforehand. */
export const print = (prompt: string, ...more: readonly string[]): readonly string[] => [
  '-p',
  prompt,
  '--allowedTools',
  'Bash,Agent',
  ...more,
]

export const bash = (command: string): ToolCall => ({
  kind: 'function',
  name: 'Bash',
  arguments: JSON.stringify({ command, description: 'Run a command' }),
})

export const agent = (prompt: string): ToolCall => ({
  kind: 'function',
  name: 'Agent',
  arguments: JSON.stringify({ description: 'Look', prompt, subagent_type: 'general-purpose' }),
})
