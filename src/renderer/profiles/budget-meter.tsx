/** What is left of a budget, as a meter. */
import type { Budget } from '../state/budgets.ts'
import { useTexts } from '../text/texts.ts'
import { Meter } from '../ui/meter.tsx'
import { useMoney } from './money.ts'

/** Below this much left it is near its end. */
const lowPercent = 15

export function BudgetMeter({ label, budget }: { readonly label: string; readonly budget: Budget }) {
  const { access: texts } = useTexts()
  const money = useMoney()
  const { amount, left } = budget
  const percent = amount === 0 ? 0 : (left / amount) * 100
  return (
    <Meter
      label={label}
      percent={percent}
      text={texts.left(money(left), money(amount))}
      tone={left <= 0 ? 'bad' : percent < lowPercent ? 'warn' : 'good'}
    />
  )
}
