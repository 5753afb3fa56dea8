// How a mutation is written down: a rule by its name, the file that holds it, the tests that must fail without it, and for
// each way of taking it away what passes then. What is looked for stands exactly once in its file; where a rule was moved
// or rewritten, its entry follows.

/** Tests of the project `unit`. */
export const unit = (...tests) => ({ project: 'unit', tests })

/** Tests of the project `integration`. */
export const integration = (...tests) => ({ project: 'integration', tests })

/**
 * @param {string} rule what its table calls it
 * @param {string} file
 * @param {{ project: 'unit' | 'integration', tests: readonly string[], title?: string }} proof `title` is carried by the
 *   tests that must fail; without it any of the files' tests may
 * @param {Readonly<Record<string, Edit | readonly Edit[]>>} ways
 *   what passes then → what is changed, in one place or in several
 * @typedef {readonly [find: string, replace: string, elsewhere?: string]} Edit `elsewhere`: another file, where a second
 *   net is
 */
export const without = (rule, file, proof, ways) =>
  Object.entries(ways).map(([what, way]) => {
    const edits = typeof way[0] === 'string' ? [way] : way
    return { rule, what, file, edits, ...proof }
  })

/** The same for a known bug: its citation is carried by its own test. */
export const bug = (citation, test, file, ways) => {
  const project = test.startsWith('test/program/') ? 'integration' : 'unit'
  return without(citation, file, { project, tests: [test], title: citation }, ways)
}
