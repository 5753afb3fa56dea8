/** Which source would serve a new call now, and which next: asked of the router's own code. */
import { client } from '../bridge/client.ts'
import { mirror } from '../state/mirror.ts'

export interface Serving {
  readonly now: ReadonlySet<string>
  readonly next: ReadonlySet<string>
}

const questions = [
  { providerId: 'claude', model: null, dialect: 'messages' },
  { providerId: 'codex', model: null, dialect: 'responses' },
] as const

export const servingMirror = mirror(['accounts', 'models', 'quota'], async (): Promise<Serving> => {
  const answers = await Promise.all(questions.map((question) => client.models.explain(question)))
  const place = (index: number) =>
    new Set(answers.flatMap(({ order }) => order[index]?.backendId.split(':', 1)[0] ?? []))
  return { now: place(0), next: place(1) }
})
