/** Who serves Claude Code's small, fast model: whoever has it, or one backend of the person's choice. */
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { poolsMirror } from '../models/pools.ts'
import { mirror, useMirror } from '../state/mirror.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Select } from '../ui/field.tsx'

const smallMirror = mirror(['models', 'accounts'], () => client.clients.smallModel({}))
/** No backend's id: those hold a colon. */
const asAsked = 'as-asked'

export function SmallModel() {
  const { profiles: texts, said } = useTexts()
  const { value: small } = useMirror(smallMirror)
  const { value: pools } = useMirror(poolsMirror)
  if (small === null || pools === null) return null
  const names = new Map(
    pools
      .flatMap(({ tiers }) => tiers.flat())
      .map(({ backendId, sourceLabel, upstreamModel }) => [backendId, `${sourceLabel} · ${upstreamModel}`]),
  )
  const { backendId } = small
  // One that is gone must still be seen as what is chosen.
  if (backendId !== null && !names.has(backendId)) names.set(backendId, backendId)
  const choose = async (id: string): Promise<void> => {
    try {
      await client.clients.setSmallModel({ backendId: id === asAsked ? null : id })
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await smallMirror.refresh()
  }
  return (
    <Select
      label={texts.smallModel}
      hint={texts.smallModelHint}
      value={backendId ?? asAsked}
      choices={[
        { id: asAsked, text: texts.smallModelAsAsked },
        ...[...names].map(([id, text]) => ({ id, text: visible(text) })),
      ]}
      onChange={(id) => void choose(id)}
    />
  )
}
