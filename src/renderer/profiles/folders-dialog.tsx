/** A key's folder rules: calls from a folder by a policy of its own; written one at a time, saved as they are. */
import { useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { AccessKey } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Words } from '../ui/words.tsx'
import { changeKey, type FolderRule, writtenFolders } from './key-change.ts'
import { useKnownSources } from './known-sources.ts'
import { freshPolicy, isWhole, policyDraft, writtenPolicy } from './policy-draft.ts'
import { PolicyEditor } from './policy-editor.tsx'

export interface FoldersDialogProps {
  readonly accessKey: AccessKey
  readonly onClose: () => void
}

/** Null: the list; a place in it, or `new`. */
type Aim = number | 'new' | null

export function FoldersDialog({ accessKey, onClose }: FoldersDialogProps) {
  const texts = useTexts()
  const { access, ui } = texts
  const { folders, label } = accessKey
  const [aim, setAim] = useState<Aim>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (next: readonly FolderRule[]): Promise<void> => {
    await changeKey(accessKey, { folders: writtenFolders(next) }, texts)
    setProblem(null)
    setAim(null)
  }
  const remove = (rule: FolderRule): void => {
    save(folders.filter((one) => one !== rule)).catch((cause: unknown) => setProblem(problemOf(cause)))
  }
  const add = <Button onPress={() => setAim('new')}>{access.addFolder}</Button>
  const close = <Button onPress={onClose}>{ui.close}</Button>
  if (aim !== null) {
    const rule = aim === 'new' ? null : (folders[aim] ?? null)
    return (
      <Dialog title={access.folderTitle(label)} size="wide" isOpen isLight={false} onClose={onClose}>
        <FolderForm
          key={aim}
          rule={rule}
          models={accessKey.models}
          onBack={() => setAim(null)}
          onSave={(next) =>
            save(rule === null ? [...folders, next] : folders.map((one) => (one === rule ? next : one)))
          }
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={access.foldersTitle(label)}
      size="wide"
      isOpen
      onClose={onClose}
      foot={folders.length === 0 ? close : [<span key="add">{add}</span>, <span key="close">{close}</span>]}
    >
      <p className="field-hint">
        <Words text={access.foldersText} />
      </p>
      <ProblemNotice problem={problem} />
      {folders.length === 0 ? (
        <EmptyState title={access.noFoldersTitle} action={add}>
          {access.noFolders}
        </EmptyState>
      ) : (
        <ul className="plain-rows" aria-label={access.foldersTitle(label)}>
          {folders.map((rule, at) => (
            <FolderRow key={rule.folder} rule={rule} onEdit={() => setAim(at)} onRemove={() => remove(rule)} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface FolderRowProps {
  readonly rule: FolderRule
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function FolderRow({ rule, onEdit, onRemove }: FolderRowProps) {
  const { access, profiles, ui } = useTexts()
  const known = useKnownSources(null)
  const folder = visible(rule.folder)
  const { mode, sources = [] } = rule.policy
  const names = sources.map((id) => visible(known.find((source) => source.id === id)?.label ?? id))
  return (
    <li className="plain-row">
      <span>
        <code>{folder}</code>
        <span className="draft-told">{[profiles.policies[mode], ...names].join(access.join)}</span>
      </span>
      <ActionMenu
        label={ui.moreFor(folder)}
        actions={[
          { id: 'edit', text: access.edit, run: onEdit },
          { id: 'remove', text: ui.delete, run: onRemove, isDanger: true },
        ]}
      />
    </li>
  )
}

interface FolderFormProps {
  readonly rule: FolderRule | null
  readonly models: readonly string[] | null
  readonly onBack: () => void
  readonly onSave: (rule: FolderRule) => Promise<void>
}

function FolderForm({ rule, models, onBack, onSave }: FolderFormProps) {
  const { access } = useTexts()
  const [folder, setFolder] = useState(rule?.folder ?? '')
  const [draft, setDraft] = useState(
    rule === null ? { ...freshPolicy, mode: 'strict' as const } : policyDraft(rule.policy),
  )
  const policy = writtenPolicy(draft)
  const isReady = folder.trim() !== '' && isWhole(draft) && policy !== null
  return (
    <EditForm
      onSave={async () => {
        if (isReady) await onSave({ folder: folder.trim(), policy })
      }}
      onCancel={onBack}
      isReady={isReady}
    >
      <TextField
        label={access.folder}
        hint={access.folderHint}
        value={folder}
        onChange={setFolder}
        placeholder="/home/me/project"
        isCode
        hasFocus
        isRequired
      />
      <PolicyEditor draft={draft} models={models} mayBeUnbound={false} onChange={setDraft} />
    </EditForm>
  )
}
