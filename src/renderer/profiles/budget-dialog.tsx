/** Makes a budget or changes one. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { type Budget, budgetsMirror } from '../state/budgets.ts'
import { toast } from '../state/toasts.ts'
import type { Said } from '../text/said.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Select, Switch, TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { dollarText, readDollars } from './dollars.ts'

const cycles = ['day', 'week', 'month', 'none'] as const

export interface BudgetDialogProps {
  /** Null: a new one. */
  readonly budget: Budget | null
  readonly onClose: () => void
}

export function BudgetDialog({ budget, onClose }: BudgetDialogProps) {
  const { access: texts, said, ui } = useTexts()
  const [label, setLabel] = useState(budget?.label ?? '')
  const [dollars, setDollars] = useState(budget === null ? '' : dollarText(budget.amount))
  const [cycle, setCycle] = useState(budget?.cycle ?? 'month')
  const [isTight, setTight] = useState(budget?.concurrency === 1)
  const [enabled, setEnabled] = useState(budget?.enabled ?? true)
  const amount = readDollars(dollars)
  // Another cycle begins a new count.
  const spent = cycle === budget?.cycle ? budget.spent : 0
  const refuses = !enabled || (amount !== null && amount - spent <= 0)
  const refused = budget !== null && refuses ? budget.keys : []
  const timeZone = budget?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const save = async () => {
    if (amount === null) return
    const other = budget?.concurrency === 1 ? null : (budget?.concurrency ?? null)
    const concurrency = isTight ? 1 : other
    const facts = { label: label.trim(), amount, cycle, concurrency, enabled }
    if (budget === null) await client.budgets.create({ ...facts, timeZone })
    else {
      await client.budgets.update({ id: budget.id, ...facts })
      toast(texts.budgetChanged(facts.label), { undo: () => void setBack(budget, said) })
    }
    await budgetsMirror.refresh()
    onClose()
  }
  return (
    <Dialog
      title={budget === null ? texts.createTitle : texts.editTitle(budget.label)}
      isOpen
      isLight={false}
      onClose={onClose}
    >
      <EditForm
        onSave={save}
        onCancel={onClose}
        isReady={amount !== null && label.trim() !== ''}
        word={budget === null ? ui.add : ui.save}
      >
        <TextField label={texts.name} value={label} onChange={setLabel} hasFocus isRequired />
        <TextField
          label={texts.amount}
          hint={texts.amountHint}
          value={dollars}
          onChange={setDollars}
          isNumber
          isRequired
          isInvalid={dollars !== '' && amount === null}
        />
        <Select
          label={texts.cycle}
          hint={texts.zone(timeZone)}
          value={cycle}
          choices={cycles.map((id) => ({ id, text: texts.cycles[id] }))}
          onChange={setCycle}
        />
        <Switch label={texts.tight} hint={texts.tightHint} isOn={isTight} onChange={setTight} />
        {budget !== null && <Switch label={texts.isOn} isOn={enabled} onChange={setEnabled} />}
        {refused.length > 0 && (
          <div aria-live="polite">
            <Notice>{texts.refusesKeys(visible(refused.join(', ')))}</Notice>
          </div>
        )}
      </EditForm>
    </Dialog>
  )
}

async function setBack(before: Budget, said: Said): Promise<void> {
  const { id, label, amount, cycle, concurrency, enabled } = before
  try {
    await client.budgets.update({ id, label, amount, cycle, concurrency, enabled })
  } catch (cause) {
    toast(said.problem(problemOf(cause)))
  }
  await budgetsMirror.refresh()
}
