/** Which accounts and profiles a key may use and its budget; what that would have meant for its calls stands below. */
import { useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { AccessKey } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'
import { BudgetChoice } from './budget-choice.tsx'
import { changeKey } from './key-change.ts'
import { isWhole, policyDraft, writtenPolicy } from './policy-draft.ts'
import { PolicyEditor } from './policy-editor.tsx'

export interface PolicyDialogProps {
  readonly accessKey: AccessKey
  readonly onClose: () => void
}

export function PolicyDialog(props: PolicyDialogProps) {
  const { access: texts } = useTexts()
  return (
    <Dialog title={texts.policyTitle(props.accessKey.label)} size="wide" isOpen isLight={false} onClose={props.onClose}>
      <PolicyForm {...props} />
    </Dialog>
  )
}

function PolicyForm({ accessKey, onClose }: PolicyDialogProps) {
  const texts = useTexts()
  const { ui } = texts
  const { id, policy, budgetId, models } = accessKey
  const [draft, setDraft] = useState(() => policyDraft(policy))
  const [budget, setBudget] = useState(budgetId)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isReady = isWhole(draft)
  const change = { policy: writtenPolicy(draft), budgetId: budget }
  const affected = useAffected(isReady ? { kind: 'key', id, ...change } : null)
  const save = async (): Promise<void> => {
    if (!isReady) return
    try {
      await changeKey(accessKey, change, texts)
      onClose()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  return (
    <Form
      onSubmit={save}
      foot={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={!isReady}>
            {ui.save}
          </Button>
        </>
      }
    >
      <PolicyEditor draft={draft} models={models} onChange={setDraft} />
      <BudgetChoice value={budget} onChange={setBudget} />
      <AffectedNotice {...affected} />
      <ProblemNotice problem={problem} />
    </Form>
  )
}
