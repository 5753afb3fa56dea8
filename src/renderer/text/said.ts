/** The program's own sentences and codes as the window says them; the program writes English, which is what rows store. */
import type { Problem } from '../bridge/problem.ts'

export interface Said {
  /** A sentence or a part of one; as it is where it is not known. */
  sentence(text: string): string
  /** What went wrong, without the next step. */
  problem(problem: Problem): string
  /** What went wrong, and the next step. */
  problemWithStep(problem: Problem): string
  /** A kebab-case code, or an error's, as words. */
  code(code: string): string
}

/** `host-resting` → `host resting`. */
export const words = (code: string): string => code.replaceAll(/[-_]/g, ' ')

/** What a language does with sentences that it knows; `unreachable` stands for a program that could not be asked. */
export function saidBy(
  unreachable: string,
  join: string,
  known: {
    readonly sentence: (text: string) => string | null
    readonly ofError: (problem: Problem) => { readonly sentence: string; readonly next: string } | null
    readonly code: (code: string) => string | null
  },
): Said {
  const sentence = (text: string): string => known.sentence(text) ?? text
  const both = (problem: Problem) =>
    known.ofError(problem) ?? { sentence: sentence(problem.sentence), next: sentence(problem.next) }
  const problem = (found: Problem): string =>
    found.code === 'connection' ? unreachable : both(found).sentence || unreachable
  return {
    sentence,
    problem,
    problemWithStep: (found) =>
      found.code === 'connection' ? unreachable : [problem(found), both(found).next].filter(Boolean).join(join),
    code: (code) => known.code(code) ?? words(code),
  }
}
