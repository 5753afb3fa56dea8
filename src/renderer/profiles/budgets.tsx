/** Budgets: what is left of each amount, when it begins anew, which keys draw on it. */
import { useState } from 'react'
import { type Budget, budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Meter } from '../ui/meter.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section } from '../ui/section.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { LedgerDialog } from './ledger-dialog.tsx'
import { useMoney } from './money.ts'

type Aim =
  | { readonly kind: 'edit'; readonly budget: Budget | null }
  | { readonly kind: 'ledger'; readonly budget: Budget }

export function Budgets() {
  const { access: texts } = useTexts()
  const { value: budgets } = useMirror(budgetsMirror)
  const [aim, setAim] = useState<Aim | null>(null)
  if (budgets === null) return null
  const create = <Button onPress={() => setAim({ kind: 'edit', budget: null })}>{texts.createBudget}</Button>
  const close = () => setAim(null)
  return (
    <Section title={texts.budgets} count={budgets.length} action={budgets.length > 0 && create}>
      {budgets.length === 0 ? (
        <EmptyState title={texts.noBudgetsTitle} action={create}>
          {texts.noBudgets}
        </EmptyState>
      ) : (
        <div className="cards">
          {budgets.map((budget) => (
            <BudgetCard key={budget.id} budget={budget} onAim={setAim} />
          ))}
        </div>
      )}
      {aim?.kind === 'edit' && <BudgetDialog budget={aim.budget} onClose={close} />}
      {aim?.kind === 'ledger' && <LedgerDialog budget={aim.budget} onClose={close} />}
    </Section>
  )
}

function BudgetCard({ budget, onAim }: { readonly budget: Budget; readonly onAim: (aim: Aim) => void }) {
  const { access: texts, ui } = useTexts()
  const money = useMoney()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { label, amount, left, enabled, resetAtMs, keys, sources } = budget
  const percent = amount === 0 ? 0 : (left / amount) * 100
  const users = [...keys, ...sources]
  return (
    <Card
      title={label}
      subtitle={resetAtMs === null ? texts.neverResets : texts.resets(format.soon(resetAtMs, nowMs))}
      isDimmed={!enabled}
      aside={
        <ActionMenu
          label={ui.moreFor(label)}
          actions={[
            { id: 'edit', text: texts.edit, run: () => onAim({ kind: 'edit', budget }) },
            { id: 'ledger', text: texts.ledger, run: () => onAim({ kind: 'ledger', budget }) },
          ]}
        />
      }
      foot={<span>{users.length === 0 ? texts.unused : texts.usedBy(visible(users.join(', ')))}</span>}
    >
      {!enabled && <Notice>{texts.off}</Notice>}
      <Meter
        label={texts.cycles[budget.cycle]}
        percent={percent}
        text={texts.left(money(left), money(amount))}
        tone={left <= 0 ? 'bad' : percent < 15 ? 'warn' : 'good'}
      />
    </Card>
  )
}
