/** Disables, enables, revokes or binds many keys at once, all of them or none; what it would mean stands below. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import type { AccessKey } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { OneOf, SomeOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Notice } from '../ui/notice.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'
import { BudgetChoice } from './budget-choice.tsx'
import { refreshAccess } from './key-change.ts'
import { freshPolicy, isWhole, policyDraft, writtenPolicy } from './policy-draft.ts'
import { PolicyEditor } from './policy-editor.tsx'

const deeds = ['disabled', 'active', 'policy', 'budget', 'revoked'] as const
type Deed = (typeof deeds)[number]

export interface SeveralKeysDialogProps {
  readonly keys: readonly AccessKey[]
  readonly onClose: () => void
}

export function SeveralKeysDialog({ keys, onClose }: SeveralKeysDialogProps) {
  const { access: texts } = useTexts()
  return (
    <Dialog title={texts.severalTitle} size="wide" isOpen isLight={false} onClose={onClose}>
      <SeveralKeysForm keys={keys} onClose={onClose} />
    </Dialog>
  )
}

function SeveralKeysForm({ keys, onClose }: SeveralKeysDialogProps) {
  const texts = useTexts()
  const { access } = texts
  const [ids, setIds] = useState<readonly string[]>([])
  const [deed, setDeed] = useState<Deed>('disabled')
  const [budgetId, setBudget] = useState<string | null>(null)
  const [draft, setDraft] = useState(freshPolicy)
  const usable = keys.filter(({ state }) => state !== 'revoked')
  const all = usable.map(({ id }) => id)
  const isReady = ids.length > 0 && (deed !== 'policy' || isWhole(draft))
  const change =
    deed === 'budget' ? { budgetId } : deed === 'policy' ? { policy: writtenPolicy(draft) } : { state: deed }
  const affected = useAffected(isReady ? { kind: 'keys', ids: [...ids], ...change } : null)
  const save = async () => {
    if (!isReady) return
    await client.keys.bulk({ ids: [...ids], ...change })
    await refreshAccess()
    offerUndo(
      usable.filter(({ id }) => ids.includes(id)),
      deed,
      texts,
    )
    onClose()
  }
  return (
    <EditForm onSave={save} onCancel={onClose} isReady={isReady} word={access.apply} isDanger={deed === 'revoked'}>
      <div className="field">
        <SomeOf
          label={access.which}
          value={ids}
          choices={usable.map(({ id, label }) => ({ id, text: visible(label) }))}
          onChange={setIds}
        />
        <Button kind="quiet" onPress={() => setIds(ids.length === all.length ? [] : all)}>
          {ids.length === all.length ? access.chooseNone : access.chooseAll}
        </Button>
      </div>
      <OneOf
        label={access.what}
        value={deed}
        choices={deeds.map((id) => ({ id, text: access.bulk[id] }))}
        onChange={setDeed}
      />
      {deed === 'budget' && <BudgetChoice value={budgetId} onChange={setBudget} />}
      {deed === 'policy' && <PolicyEditor draft={draft} models={null} onChange={setDraft} />}
      {deed === 'revoked' && <Notice tone="bad">{access.revokeAll}</Notice>}
      <AffectedNotice {...affected} />
    </EditForm>
  )
}

/** A revoked key never comes back, and one that was pending is enabled by hand; everything else has its way back. */
function offerUndo(before: readonly AccessKey[], deed: Deed, { access, said }: Texts): void {
  const text = access.severalChanged(before.length)
  if (deed === 'revoked') {
    toast(text)
    return
  }
  const setBack = async (): Promise<void> => {
    if (deed === 'budget' || deed === 'policy') {
      for (const { id, policy, budgetId } of before) {
        await client.keys.setPolicy(
          deed === 'budget' ? { id, budgetId } : { id, policy: writtenPolicy(policyDraft(policy)) },
        )
      }
      return
    }
    for (const state of ['active', 'disabled'] as const) {
      const ids = before.flatMap((key) => (key.state === state && state !== deed ? [key.id] : []))
      if (ids.length > 0) await client.keys.bulk({ ids, state })
    }
  }
  const undo = (): void => {
    setBack()
      .catch((cause: unknown) => toast(said.problem(problemOf(cause))))
      .then(refreshAccess)
  }
  toast(text, { undo })
}
