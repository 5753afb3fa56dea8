/** Who may serve: the four modes of a route policy, their accounts in order, and what follows when none of them can. */
import { strategiesMirror } from '../models/pools.ts'
import { strategyName } from '../models/strategy-name.ts'
import { useMirror } from '../state/mirror.ts'
import { useTexts } from '../text/texts.ts'
import { OneOf } from '../ui/choices.tsx'
import { Select } from '../ui/field.tsx'
import { useKnownSources } from './known-sources.ts'
import { fallbacks, listed, modes, namesSources, type PolicyDraft } from './policy-draft.ts'
import { SourceOrder } from './source-order.tsx'

export interface PolicyEditorProps {
  readonly draft: PolicyDraft
  /** Those that the key may ask for; null for all. */
  readonly models: readonly string[] | null
  /** False where every call must have a policy: a folder's. */
  readonly mayBeUnbound?: boolean
  readonly onChange: (draft: PolicyDraft) => void
}

export function PolicyEditor({ draft, models, mayBeUnbound = true, onChange }: PolicyEditorProps) {
  const { access: texts } = useTexts()
  const known = useKnownSources(models)
  const { mode, sources, strategy, fallback, fallbackSources, fallbackStrategy } = draft
  const set = (change: Partial<PolicyDraft>): void => onChange({ ...draft, ...change })
  const offered = mayBeUnbound ? modes : modes.filter((one) => one !== 'unbound')
  return (
    <>
      <OneOf
        label={texts.mode}
        value={mode}
        choices={offered.map((one) => ({ id: one, text: texts.modes[one], hint: texts.modeHints[one] }))}
        onChange={(next) => set({ mode: next })}
      />
      {namesSources(draft) && (
        <SourceOrder label={texts.sources} value={sources} known={known} onChange={(next) => set({ sources: next })} />
      )}
      {mode === 'pool' && (
        <StrategyChoice label={texts.strategy} value={strategy} onChange={(next) => set({ strategy: next })} />
      )}
      {mode === 'preferred' && (
        <OneOf
          label={texts.fallback}
          value={fallback}
          choices={fallbacks.map((one) => ({ id: one, text: texts.fallbacks[one] }))}
          onChange={(next) => set({ fallback: next })}
        />
      )}
      {mode === 'preferred' && fallback === 'set' && (
        <>
          <SourceOrder
            label={texts.fallbackSources}
            value={fallbackSources}
            known={known.filter(({ id }) => !sources.includes(id))}
            onChange={(next) => set({ fallbackSources: next })}
          />
          <StrategyChoice
            label={texts.fallbackStrategy}
            value={fallbackStrategy}
            onChange={(next) => set({ fallbackStrategy: next })}
          />
        </>
      )}
    </>
  )
}

interface StrategyChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (id: string) => void
}

function StrategyChoice({ label, value, onChange }: StrategyChoiceProps) {
  const texts = useTexts()
  const { value: strategies } = useMirror(strategiesMirror)
  const choices = (strategies ?? []).map(({ id, sentence }) => ({
    id,
    text: id === listed ? texts.access.inOrder : strategyName(id, texts),
    hint: texts.models.strategySentences[id] ?? sentence,
  }))
  // A stored one that is gone must still be seen as what is chosen.
  const isKnown = choices.some(({ id }) => id === value)
  return (
    <Select
      label={label}
      value={value}
      choices={isKnown ? choices : [...choices, { id: value, text: value }]}
      onChange={onChange}
    />
  )
}
