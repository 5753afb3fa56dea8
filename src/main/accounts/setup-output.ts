/** Reads what `claude setup-token` and `claude auth login` write to their terminal: the page, the wish for a code, the outcome. Pure. */

export interface SetupOutput {
  /** The vendor's page; the last one named. */
  readonly url: string | null
  /** It asks for the code that the page shows. */
  readonly wantsCode: boolean
  /** Only once something stands behind it: what comes in pieces could be half of it. */
  readonly token: string | null
  /** Why it gave up, in its own words, once the whole line is there. */
  readonly failure: string | null
}

const control = String.fromCharCode(27)
const bell = String.fromCharCode(7)
const sequences = new RegExp(
  `${control}\\][^${bell}${control}]*(?:${bell}|${control}\\\\)|${control}\\[[0-?]*[ -/]*[@-~]|${control}[@-Z\\\\-_=>]`,
  'g',
)

/** Without control sequences; moving the cursor counts as a blank, so that two words don't become one. */
export const plainText = (written: string): string =>
  written
    .replace(sequences, (sequence) => (/[A-HfG]$/.test(sequence) && sequence.charAt(1) === '[' ? ' ' : ''))
    .replace(/\r/g, '\n')

const hosts = '(?:claude\\.ai|claude\\.com|platform\\.claude\\.com)'
const urlPattern = new RegExp(`https://${hosts}/[!-~]*oauth/authorize\\?[!-~]+(?=\\s)`, 'g')
/** `OAuth error: …` and a key to try again; `Couldn't log in: …` and its end. */
const failurePattern = /(?:OAuth error|Couldn['’]t log in): +([^\n]{1,300}?)\s*\n/g
const tokenPattern = /sk-ant-oat01-[\w-]{20,1000}(?=[^\w-])/g

export function readSetupOutput(written: string): SetupOutput {
  const text = plainText(written)
  return {
    url: text.match(urlPattern)?.at(-1) ?? null,
    wantsCode: /paste\s*(the\s*)?code/i.test(text),
    token: text.match(tokenPattern)?.at(-1) ?? null,
    failure: [...text.matchAll(failurePattern)].at(-1)?.[1]?.replace(/\.$/, '') ?? null,
  }
}

/** Since June 2026 older versions ask a token endpoint that is gone (claude §1.1). */
const oldest = [2, 1, 7] as const

/** `2.1.225 (Claude Code)`; null when it isn't a version. */
export function versionProblem(version: string): string | null {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version.trim())?.slice(1).map(Number)
  if (parts === undefined) return 'it does not tell its version'
  for (const [at, needed] of oldest.entries()) {
    const found = parts[at] ?? 0
    if (found > needed) return null
    if (found < needed)
      return `its version ${parts.join('.')} is older than ${oldest.join('.')}; update it with \`claude update\``
  }
  return null
}
