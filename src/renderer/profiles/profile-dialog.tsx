/** Adds or changes an API profile or a local provider. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { budgetsMirror } from '../state/budgets.ts'
import { type Profile, profilesMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { announce } from '../ui/announce.ts'
import { Button } from '../ui/button.tsx'
import { OneOf, SomeOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { BudgetChoice } from './budget-choice.tsx'
import { creation, discovery, draftOf, emptyDraft, modelLine, type ProfileDraft, update } from './profile-draft.ts'

export type ProfileAim =
  | { readonly kind: 'add'; readonly of: 'api' | 'local' }
  | { readonly kind: 'edit'; readonly profile: Profile }

export interface ProfileDialogProps {
  readonly aim: ProfileAim
  readonly onClose: () => void
}

export function ProfileDialog({ aim, onClose }: ProfileDialogProps) {
  const { profiles: texts } = useTexts()
  const add = aim.kind === 'add' && aim.of === 'local' ? texts.addLocalTitle : texts.addProfileTitle
  return (
    <Dialog
      title={aim.kind === 'add' ? add : texts.editTitle(aim.profile.label)}
      isOpen
      isLight={false}
      onClose={onClose}
    >
      <ProfileForm aim={aim} onClose={onClose} />
    </Dialog>
  )
}

function ProfileForm({ aim, onClose }: ProfileDialogProps) {
  const { profiles: texts, ui } = useTexts()
  const known = aim.kind === 'edit' ? aim.profile : null
  const [draft, setDraft] = useState<ProfileDraft>(() =>
    aim.kind === 'edit' ? draftOf(aim.profile) : emptyDraft(aim.of),
  )
  const [problem, setProblem] = useState<Problem | null>(null)
  const [found, setFound] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const change = (part: Partial<ProfileDraft>) => setDraft((before) => ({ ...before, ...part }))

  const discover = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const models = await client.profiles.discoverModels(discovery(draft))
      change({ models: models.map(modelLine).join('\n') })
      setFound(models.length)
      announce(texts.discovered(models.length))
    } catch (cause) {
      setProblem(problemOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const save = async () => {
    setProblem(null)
    if (known === null) await client.profiles.create(creation(draft))
    else await client.profiles.update(update(draft, known))
    await Promise.all([profilesMirror.refresh(), budgetsMirror.refresh()])
    if (known === null) toast(texts.added(draft.label.trim()))
    onClose()
  }

  const isComplete = draft.label.trim() !== '' && draft.baseUrl.trim() !== '' && draft.dialects.length > 0
  return (
    <EditForm onSave={save} onCancel={onClose} isReady={isComplete && !isBusy} word={known === null ? ui.add : ui.save}>
      <TextField label={texts.name} value={draft.label} onChange={(label) => change({ label })} isRequired hasFocus />
      {draft.kind === 'local' && (
        <OneOf
          label={texts.localKind}
          value={draft.program}
          choices={(['ollama', 'openai-compatible'] as const).map((id) => ({ id, text: texts.localKinds[id] }))}
          onChange={(program) => change({ program })}
        />
      )}
      <TextField
        label={texts.baseUrl}
        hint={texts.baseUrlHint}
        value={draft.baseUrl}
        onChange={(baseUrl) => change({ baseUrl })}
        placeholder="https://api.example.com"
        isCode
        isRequired
      />
      <TextField
        label={texts.apiKey}
        hint={known?.keyPreview == null ? texts.apiKeyHint : texts.apiKeyKeep(known.keyPreview)}
        value={draft.apiKey}
        onChange={(apiKey) => change({ apiKey })}
        isSecret
      />
      <SomeOf
        label={texts.dialects}
        value={draft.dialects}
        choices={(['messages', 'responses', 'chat'] as const).map((id) => ({ id, text: texts.dialectNames[id] }))}
        onChange={(dialects) => change({ dialects })}
      />
      <SomeOf
        label={texts.joinsLabel}
        hint={texts.joinsHint}
        value={draft.joins}
        choices={(['claude', 'codex'] as const).map((id) => ({ id, text: texts.vendors[id] }))}
        onChange={(joins) => change({ joins })}
      />
      {draft.kind === 'api' && (
        <BudgetChoice value={draft.budgetId} hint={texts.budgetHint} onChange={(budgetId) => change({ budgetId })} />
      )}
      <div className="field">
        <TextField
          label={texts.models}
          hint={found === null ? texts.modelsHint : texts.discovered(found)}
          value={draft.models}
          onChange={(models) => change({ models })}
          rows={5}
          isCode
        />
        <Button onPress={() => void discover()} isDisabled={draft.baseUrl.trim() === '' || isBusy}>
          {texts.discover}
        </Button>
      </div>
      <ProblemNotice problem={problem} />
    </EditForm>
  )
}
