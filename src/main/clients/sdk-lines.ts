/** The lines that point the vendors' SDKs here, for one kind of shell (claude §7, codex §7.2). Pure. */

export const shells = ['posix', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

const assignments: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  posix: (name, value) => `export ${name}='${value}'`,
  fish: (name, value) => `set -gx ${name} '${value}'`,
  powershell: (name, value) => `$env:${name} = '${value}'`,
}

/** Neither an address nor a key of ours holds a quote. */
export function sdkLines(shell: Shell, address: string, key: string): readonly string[] {
  const values = {
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: key,
  }
  return Object.entries(values).map(([name, value]) => assignments[shell](name, value))
}
