/** What the log can't tell, said in sentences beside the figures that depend on it. */

export interface Gaps {
  readonly cutShort: boolean
  readonly inherited: number
  readonly withoutNumbers: number
  readonly moved: number
  readonly refused: number
  /** `SOURCE WINDOW` of which it isn't known how much a token takes. */
  readonly unrated: readonly string[]
  readonly costUnknown: number
}

export function unknowns(gaps: Gaps): readonly string[] {
  const sentences: string[] = []
  const say = (isSo: boolean, sentence: string): void => {
    if (isSo) sentences.push(sentence)
  }
  say(gaps.cutShort, 'The log is longer than one rehearsal reads; only its newest calls were taken.')
  say(
    gaps.moved > 0,
    'Whether another account would have failed, been slower or been refused is not known: failures stay where they were.',
  )
  say(
    gaps.unrated.length > 0,
    `How much a token takes is not known for ${namesOf(gaps.unrated)}; there the quota stays as it was read.`,
  )
  say(gaps.refused > 0, 'Calls that were refused have no tokens, so serving them would have used nothing here.')
  say(
    gaps.inherited > 0,
    `The log does not name the parents of ${gaps.inherited} calls of subagents; they were ranked as new conversations.`,
  )
  say(
    gaps.withoutNumbers > 0,
    `${gaps.withoutNumbers} calls were kept by an older version without all numbers; their accounts count as unknown.`,
  )
  say(gaps.costUnknown > 0, `The price of ${gaps.costUnknown} calls is not known; the cost leaves them out.`)
  say(true, 'Use outside Pointsman counts as if it had happened all the same; a reset brought forward is not foreseen.')
  return sentences
}

const namesOf = (names: readonly string[]): string => {
  const shown = names.slice(0, 4).join(', ')
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown
}
