/** Makes a key: its name is enough; what it may use and its limits can be said at once, folded away. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { useTexts } from '../text/texts.ts'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'
import { Folded } from '../ui/folded.tsx'
import { BudgetChoice } from './budget-choice.tsx'
import { refreshAccess } from './key-change.ts'
import { freshLimits, writtenLimits } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'
import { freshPolicy, isWhole, writtenPolicy } from './policy-draft.ts'
import { PolicyEditor } from './policy-editor.tsx'

export interface MadeKey {
  readonly label: string
  readonly secret: string
}

export interface CreateKeyFormProps {
  readonly onMade: (made: MadeKey) => void
  readonly onClose: () => void
}

export function CreateKeyForm({ onMade, onClose }: CreateKeyFormProps) {
  const { access, profiles: texts, ui } = useTexts()
  const [limits, setLimits] = useState(freshLimits)
  const [policy, setPolicy] = useState(freshPolicy)
  const [budgetId, setBudget] = useState<string | null>(null)
  const written = writtenLimits(limits)
  const create = async (): Promise<void> => {
    if (written === null) return
    onMade(await client.keys.create({ ...written, policy: writtenPolicy(policy), budgetId }))
    await refreshAccess()
  }
  return (
    <EditForm onSave={create} onCancel={onClose} isReady={written !== null && isWhole(policy)} word={ui.add}>
      <TextField
        label={texts.keyName}
        hint={texts.keyNameHint}
        value={limits.label}
        onChange={(label) => setLimits((last) => ({ ...last, label }))}
        hasFocus
        isRequired
      />
      <Folded title={access.mayUse}>
        <div className="folded-fields">
          <PolicyEditor draft={policy} models={written?.models ?? null} onChange={setPolicy} />
          <BudgetChoice value={budgetId} onChange={setBudget} />
        </div>
      </Folded>
      <Folded title={access.limitsOnly}>
        <div className="folded-fields">
          <LimitsFields draft={limits} onChange={setLimits} />
        </div>
      </Folded>
    </EditForm>
  )
}
