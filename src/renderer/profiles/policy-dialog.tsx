/** Which accounts and profiles a key may use and its budget; what that would have meant for its calls stands below. */
import { useState } from 'react'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { BudgetChoice } from './budget-choice.tsx'
import { type KeyDialogProps, KeyForm } from './key-form.tsx'
import { isWhole, policyDraft, writtenPolicy } from './policy-draft.ts'
import { PolicyEditor } from './policy-editor.tsx'

export function PolicyDialog(props: KeyDialogProps) {
  const { access: texts } = useTexts()
  return (
    <Dialog title={texts.policyTitle(props.accessKey.label)} size="wide" isOpen isLight={false} onClose={props.onClose}>
      <PolicyForm {...props} />
    </Dialog>
  )
}

function PolicyForm(props: KeyDialogProps) {
  const { policy, budgetId, models } = props.accessKey
  const [draft, setDraft] = useState(() => policyDraft(policy))
  const [budget, setBudget] = useState(budgetId)
  const change = isWhole(draft) ? { policy: writtenPolicy(draft), budgetId: budget } : null
  return (
    <KeyForm {...props} change={change}>
      <PolicyEditor draft={draft} models={models} onChange={setDraft} />
      <BudgetChoice value={budget} onChange={setBudget} />
    </KeyForm>
  )
}
