/** Every source as a policy's editor shows it: its name, how it stands, and whether it serves a model of the key. */
import { useMirror } from '../state/mirror.ts'
import { type Account, accountsMirror, type Profile, profilesMirror } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { planName } from './plan.ts'
import { windowName } from './quota-meter.tsx'

export interface KnownSource {
  readonly id: string
  readonly label: string
  /** State, plan and what is left of the tightest window. */
  readonly told: string
  readonly servesModels: boolean
}

/** `models`: those that the key may ask for; null for all. */
export function useKnownSources(models: readonly string[] | null): readonly KnownSource[] {
  const { access, profiles: texts } = useTexts()
  const format = useFormat()
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const told = (source: Account | Profile): string => {
    const parts = [texts.states[source.state]]
    if (source.kind !== 'subscription') return [...parts, texts.modelCount(source.models.length)].join(' · ')
    const plan = planName(source.plan)
    const tight = tightest(source)
    if (plan !== null) parts.push(plan)
    if (tight !== null) parts.push(access.leftOf(format.number(tight.left), windowName(tight.window, texts)))
    return visible(parts.join(' · '))
  }
  return [...(accounts ?? []), ...(profiles ?? [])].map((source) => ({
    id: source.id,
    label: source.label,
    told: told(source),
    servesModels: servesOneOf(source, models),
  }))
}

function tightest({ windows }: Account) {
  const known = windows.flatMap((window) => {
    const left = window.state === 'spent' ? 0 : window.usedPercent === null ? null : 100 - window.usedPercent
    return left === null ? [] : [{ window, left: Math.max(0, Math.floor(left)) }]
  })
  return known.length === 0 ? null : known.reduce((a, b) => (b.left < a.left ? b : a))
}

/** As the program checks it: a source whose models aren't known yet is let through. */
function servesOneOf({ models }: Account | Profile, wanted: readonly string[] | null): boolean {
  if (wanted === null || models.length === 0) return true
  const names = models.flatMap(({ id, upstreamModel, aliases }) => [id, upstreamModel, ...aliases])
  return names.some((name) => wanted.includes(name))
}
