// The list of known losses as a page; pure, so that a test can say whether the page is up to date.

const styles = { messages: 'Messages', responses: 'Responses', chat: 'Chat' }

/** @param {readonly { id: string, action: string, sentence: string, from: readonly string[], to: readonly string[], when?: unknown }[]} losses */
export function lossesPage(losses) {
  const named = (dialects) => (dialects.length === 3 ? 'any' : dialects.map((dialect) => styles[dialect]).join(', '))
  const rows = losses.map(
    ({ id, action, sentence, from, to, when }) =>
      `| \`${id}\` | ${action} | ${sentence} | ${named(from)} | ${named(to)} | ${when === undefined ? '' : 'yes'} |`,
  )
  return `# What translation loses

Every loss that a call can meet at an upstream of another dialect; [translation](translation.md) says how it works. *From* is the client's dialect, *to* the upstream's. *By model* marks what holds for some models only. The window's Models tab and \`pointsman models losses BACKEND\` show those of one backend; strictness turns what is dropped into a refusal. Made by \`node scripts/losses-doc.mjs\` from \`src/main/translate/known-losses.ts\`.

| id | what becomes of it | sentence | from | to | by model |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}
