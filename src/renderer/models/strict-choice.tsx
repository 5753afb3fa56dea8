/** Whether what a translation would leave out is refused, for one model or rule: as the setting says, never, or always. */
import { useTexts } from '../text/texts.ts'
import { Select } from '../ui/field.tsx'

export interface StrictChoiceProps {
  /** Null: as the setting says. */
  readonly value: boolean | null
  readonly onChange: (strict: boolean | null) => void
}

const choices = [
  { id: 'setting', strict: null },
  { id: 'loose', strict: false },
  { id: 'strict', strict: true },
] as const

export function StrictChoice({ value, onChange }: StrictChoiceProps) {
  const { losses: texts } = useTexts()
  const chosen = choices.find(({ strict }) => strict === value) ?? choices[0]
  return (
    <Select
      label={texts.strictness}
      hint={texts.strictnessHint}
      value={chosen.id}
      choices={choices.map(({ id }) => ({ id, text: texts.strict[id] }))}
      onChange={(id) => onChange(choices.find((choice) => choice.id === id)?.strict ?? null)}
    />
  )
}
