/** Budgets: what is left of each amount, when it begins anew, which keys draw on it. */
import { useState } from 'react'
import { type Budget, budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { profilesMirror } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section } from '../ui/section.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { CorrectionDialog } from './correction-dialog.tsx'
import { LedgerDialog } from './ledger-dialog.tsx'
import { PricesDialog } from './prices-dialog.tsx'

type Aim =
  | { readonly kind: 'create' }
  | { readonly kind: 'prices' }
  | { readonly kind: 'edit' | 'ledger' | 'correct'; readonly id: string }

export function Budgets() {
  const { access: texts } = useTexts()
  const { value: budgets } = useMirror(budgetsMirror)
  const [aim, setAim] = useState<Aim | null>(null)
  if (budgets === null) return null
  const create = <Button onPress={() => setAim({ kind: 'create' })}>{texts.createBudget}</Button>
  const actions = (
    <>
      <Button onPress={() => setAim({ kind: 'prices' })}>{texts.prices}</Button>
      {budgets.length > 0 && create}
    </>
  )
  return (
    <Section title={texts.budgets} count={budgets.length} action={actions}>
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
      {aim !== null && <AimedDialog aim={aim} budgets={budgets} onClose={() => setAim(null)} />}
    </Section>
  )
}

interface AimedDialogProps {
  readonly aim: Aim
  readonly budgets: readonly Budget[]
  readonly onClose: () => void
}

function AimedDialog({ aim, budgets, onClose }: AimedDialogProps) {
  if (aim.kind === 'prices') return <PricesDialog onClose={onClose} />
  if (aim.kind === 'create') return <BudgetDialog budget={null} onClose={onClose} />
  // As it is now: calls are counted while the dialog is open.
  const budget = budgets.find(({ id }) => id === aim.id)
  if (budget === undefined) return null
  switch (aim.kind) {
    case 'edit':
      return <BudgetDialog budget={budget} onClose={onClose} />
    case 'ledger':
      return <LedgerDialog budget={budget} onClose={onClose} />
    case 'correct':
      return <CorrectionDialog budget={budget} refunds={null} onClose={onClose} />
  }
}

function BudgetCard({ budget, onAim }: { readonly budget: Budget; readonly onAim: (aim: Aim) => void }) {
  const { access: texts, ui } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { id, label, enabled, resetAtMs, keys, sources } = budget
  const { value: profiles } = useMirror(profilesMirror)
  const users = [...keys, ...sources.map((source) => profiles?.find((one) => one.id === source)?.label ?? source)]
  return (
    <Card
      title={label}
      subtitle={resetAtMs === null ? texts.neverResets : texts.resets(format.soon(resetAtMs, nowMs))}
      isDimmed={!enabled}
      aside={
        <ActionMenu
          label={ui.moreFor(label)}
          actions={[
            { id: 'edit', text: texts.edit, run: () => onAim({ kind: 'edit', id }) },
            { id: 'ledger', text: texts.ledger, run: () => onAim({ kind: 'ledger', id }) },
            { id: 'correct', text: texts.correct, run: () => onAim({ kind: 'correct', id }) },
          ]}
        />
      }
      foot={<span>{users.length === 0 ? texts.unused : texts.usedBy(visible(users.join(', ')))}</span>}
    >
      {!enabled && <Notice>{texts.off}</Notice>}
      <BudgetMeter label={texts.cycles[budget.cycle]} budget={budget} />
    </Card>
  )
}
