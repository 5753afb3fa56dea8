/** Disables, enables or binds many keys at once: all of them or none. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { type AccessKey, keysMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { OneOf, SomeOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ProblemNotice } from '../ui/notice.tsx'

const deeds = ['disabled', 'active', 'budget'] as const
const noBudget = 'none'

export interface SeveralKeysDialogProps {
  readonly keys: readonly AccessKey[]
  readonly onClose: () => void
}

export function SeveralKeysDialog({ keys, onClose }: SeveralKeysDialogProps) {
  const { access: texts, ui } = useTexts()
  const { value: budgets } = useMirror(budgetsMirror)
  const [ids, setIds] = useState<readonly string[]>([])
  const [deed, setDeed] = useState<(typeof deeds)[number]>('disabled')
  const [budget, setBudget] = useState(noBudget)
  const [problem, setProblem] = useState<Problem | null>(null)
  const submit = async () => {
    const budgetId = budget === noBudget ? null : budget
    try {
      await client.keys.bulk({ ids: [...ids], ...(deed === 'budget' ? { budgetId } : { state: deed }) })
      await Promise.all([keysMirror.refresh(), budgetsMirror.refresh()])
      onClose()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  const usable = keys.filter(({ state }) => state !== 'revoked')
  return (
    <Dialog title={texts.severalTitle} isOpen isLight={false} onClose={onClose}>
      <Form
        onSubmit={submit}
        foot={
          <>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button kind="primary" type="submit" isDisabled={ids.length === 0}>
              {texts.apply}
            </Button>
          </>
        }
      >
        <SomeOf
          label={texts.which}
          value={ids}
          choices={usable.map(({ id, label }) => ({ id, text: visible(label) }))}
          onChange={setIds}
        />
        <OneOf
          label={texts.what}
          value={deed}
          choices={deeds.map((id) => ({ id, text: texts.bulk[id] }))}
          onChange={setDeed}
        />
        {deed === 'budget' && (
          <Select
            label={texts.budget}
            value={budget}
            choices={[
              { id: noBudget, text: texts.noBudget },
              ...(budgets ?? []).map((one) => ({ id: one.id, text: visible(one.label) })),
            ]}
            onChange={setBudget}
          />
        )}
        <ProblemNotice problem={problem} />
      </Form>
    </Dialog>
  )
}
