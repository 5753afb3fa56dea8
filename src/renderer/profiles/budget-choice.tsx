/** Which budget pays, or none. */
import { budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Select } from '../ui/field.tsx'

export interface BudgetChoiceProps {
  readonly value: string | null
  readonly hint?: string
  readonly onChange: (budgetId: string | null) => void
}

const noBudget = ' none'

export function BudgetChoice({ value, hint, onChange }: BudgetChoiceProps) {
  const { access: texts } = useTexts()
  const { value: budgets } = useMirror(budgetsMirror)
  const known = (budgets ?? []).map(({ id, label }) => ({ id, text: visible(label) }))
  // One that is gone refuses every call: it must be seen to be chosen.
  const isGone = value !== null && budgets !== null && !known.some(({ id }) => id === value)
  return (
    <Select
      label={texts.budget}
      {...(hint === undefined ? {} : { hint })}
      value={value ?? noBudget}
      choices={[
        { id: noBudget, text: texts.noBudget },
        ...known,
        ...(isGone ? [{ id: value, text: texts.goneBudget }] : []),
      ]}
      onChange={(id) => onChange(id === noBudget ? null : id)}
    />
  )
}
