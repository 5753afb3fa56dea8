/** Practice mode's buttons. */
import { PointsmanError } from '../../shared/errors.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'

export function practice({ practice: control }: ApiDeps) {
  return {
    state: members.practice.state.handler(() => ({ on: control !== null, sources: control?.state() ?? [] })),
    fault: members.practice.fault.handler(({ input: { sourceId, fault, minutes } }) => {
      if (control === null) throw new PointsmanError('invalid_input', { why: 'this is not practice mode' })
      if (!control.state().some((source) => source.sourceId === sourceId)) {
        throw new PointsmanError('not_found', { what: `practice source ${sourceId}` })
      }
      control.fault(sourceId, fault, minutes === undefined ? {} : { minutes })
      return { ok: true as const }
    }),
  }
}
