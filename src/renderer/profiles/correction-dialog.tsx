/** Gives to a budget or takes from it by hand, or gives a call's cost back; with a reason that stands in the ledger. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { type Budget, budgetsMirror, type LedgerLine } from '../state/budgets.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { OneOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'
import { dollarText, readDollars } from './dollars.ts'
import { useMoney } from './money.ts'

export interface CorrectionDialogProps {
  readonly budget: Budget
  /** The call whose cost is given back; null: an amount of the person's own. */
  readonly refunds: LedgerLine | null
  readonly onClose: () => void
}

export function CorrectionDialog(props: CorrectionDialogProps) {
  const { access: texts } = useTexts()
  const { budget, refunds, onClose } = props
  const title = refunds === null ? texts.correctTitle(budget.label) : texts.refundTitle(budget.label)
  return (
    <Dialog title={title} isOpen isLight={false} onClose={onClose}>
      <CorrectionForm {...props} />
    </Dialog>
  )
}

const ways = ['give', 'take'] as const

function CorrectionForm({ budget, refunds, onClose }: CorrectionDialogProps) {
  const { access: texts, said, ui } = useTexts()
  const money = useMoney()
  const [way, setWay] = useState<(typeof ways)[number]>('give')
  const [dollars, setDollars] = useState(refunds === null ? '' : dollarText(-refunds.amount))
  const [reason, setReason] = useState('')
  const { id, label, left } = budget
  const read = readDollars(dollars)
  const amount = read === null || read === 0 ? null : read
  const isReady = amount !== null && reason.trim() !== ''
  const signed = amount === null ? 0 : refunds === null && way === 'take' ? -amount : amount
  const save = async () => {
    if (!isReady) return
    const execution = refunds?.executionId
    const kind = refunds === null ? 'adjust' : 'refund'
    const named = execution == null ? {} : { executionId: execution }
    await client.budgets.adjust({ id, amount: signed, kind, ...named, note: reason.trim() })
    await budgetsMirror.refresh()
    toast(texts.corrected(label), refunds === null ? { undo: () => void takeBack(id, -signed) } : {})
    onClose()
  }
  // The ledger is never rewritten: the way back is a line of its own.
  const takeBack = async (budgetId: string, opposite: number) => {
    try {
      await client.budgets.adjust({
        id: budgetId,
        amount: opposite,
        note: texts.takenBack(reason.trim()).slice(0, 200),
      })
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await budgetsMirror.refresh()
  }
  return (
    <EditForm onSave={save} onCancel={onClose} isReady={isReady} word={refunds === null ? ui.save : texts.refundNow}>
      {refunds === null && (
        <OneOf
          label={texts.correctWay}
          value={way}
          choices={ways.map((one) => ({ id: one, text: texts.correctWays[one] }))}
          onChange={setWay}
        />
      )}
      <TextField
        label={texts.amount}
        hint={texts.leftAfter(money(left), money(left + signed))}
        value={dollars}
        onChange={setDollars}
        isInvalid={dollars !== '' && amount === null}
        isNumber
        isRequired
        hasFocus
      />
      <TextField label={texts.reason} hint={texts.reasonHint} value={reason} onChange={setReason} isRequired />
    </EditForm>
  )
}
