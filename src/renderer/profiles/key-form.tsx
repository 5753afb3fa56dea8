/** What the dialogs that change one key share: whom the change would affect, and saving. */
import type { ReactNode } from 'react'
import type { AccessKey } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { EditForm } from '../ui/edit-form.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'
import { changeKey, type KeyChange } from './key-change.ts'

export interface KeyDialogProps {
  readonly accessKey: AccessKey
  readonly onClose: () => void
}

export interface KeyFormProps extends KeyDialogProps {
  /** Null while what is written is not whole. */
  readonly change: KeyChange | null
  readonly children: ReactNode
}

export function KeyForm({ accessKey, change, onClose, children }: KeyFormProps) {
  const texts = useTexts()
  const affected = useAffected(change === null ? null : affecting(accessKey.id, change))
  const save = async (): Promise<void> => {
    if (change === null) return
    await changeKey(accessKey, change, texts)
    onClose()
  }
  return (
    <EditForm onSave={save} onCancel={onClose} isReady={change !== null}>
      {children}
      <AffectedNotice {...affected} />
    </EditForm>
  )
}

/** A name affects nothing. */
function affecting(id: string, { label: _, ...change }: KeyChange) {
  return { kind: 'key', id, ...change } as const
}
