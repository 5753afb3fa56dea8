// The catalogue of errors as a page and in the tables of proofs; pure, so that a test can say whether they are up to date.

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

/**
 * A page in whose tables each **`code`** is followed by its sentence and, in italics, its next step, as the catalogue has
 * them now. An entry ends where its cell ends or at `<br>`.
 * @param {string} page
 * @param {Readonly<Record<string, { sentence: string, next: string }>>} catalogue
 */
export function withErrorTexts(page, catalogue) {
  return page.replace(/\*\*`([a-z_]+)`\*\*[^|<]*?(?=\s*(?:\||<br>))/g, (found, code) => {
    const entry = catalogue[code]
    return entry === undefined ? found : `**\`${code}\`** ${entry.sentence} *${entry.next}*`
  })
}
