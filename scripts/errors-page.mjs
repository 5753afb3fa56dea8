// The catalogue of errors as a page; pure, so that a test can say whether the page is up to date.

/** @param {Readonly<Record<string, { status: number, sentence: string, next: string, again: boolean }>>} catalogue */
export function errorsPage(catalogue) {
  const cell = (text) => text.replaceAll('|', '\\|')
  const rows = Object.entries(catalogue).map(
    ([code, { status, sentence, next, again }]) =>
      `| \`${code}\` | ${status} | ${cell(sentence)} | ${cell(next)} | ${again ? 'yes' : ''} |`,
  )
  return `# Errors

Every error that Pointsman gives, over HTTP, in the window and on the command line: a stable code, one sentence, one next step. \`{name}\` is filled in. *Again* marks what may pass by itself within a minute; then a client's own retry is welcome. Made by \`node scripts/errors-doc.mjs\` from \`src/shared/errors.ts\`.

| code | status | sentence | next step | again |
|---|---|---|---|---|
${rows.join('\n')}
`
}
