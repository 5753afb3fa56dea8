/** What a person sees when the program has started: where it is, and one line to try. */
import { quoted } from '../../../shared/posix-path.ts'

export interface Greeting {
  readonly address: string
  /** The one-time link to the window, or null. */
  readonly ui: string | null
  readonly dataDir: string
  readonly keyFile: string
  /** Only where the person asked to see it. */
  readonly key: string | null
  readonly practice: boolean
}

export function greeting({ address, ui, dataDir, keyFile, key, practice }: Greeting): string {
  const file = quoted(keyFile)
  const lines = [
    `Pointsman is running.${practice ? ' Practice mode: every account and answer is simulated.' : ''}`,
    '',
    ...(ui === null
      ? []
      : [`  Window      ${ui}`, '              (works once, for a minute; `pointsman open` gives a fresh link)']),
    `  Address     ${address}`,
    `  Access key  ${key ?? `in ${keyFile}`}`,
    `  Data        ${dataDir}`,
    '',
    practice ? 'Try it:' : 'See what is served:',
    '',
    ...(practice ? practiceLines(address, file) : [`  curl ${address}/any/v1/models -H "x-api-key: $(cat ${file})"`]),
    '',
    'Ctrl+C ends it.',
  ]
  return lines.join('\n')
}

const practiceLines = (address: string, file: string): string[] => [
  `  curl -N ${address}/codex/v1/responses \\`,
  `    -H "authorization: Bearer $(cat ${file})" \\`,
  "    -H 'content-type: application/json' \\",
  `    -d '{"model":"gpt-5.5","input":[{"role":"user","content":"Hello"}],"stream":true}'`,
]
