/** Asks for a new name. */
import { useState } from 'react'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'

export interface RenameDialogProps {
  readonly name: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly rename: (name: string) => Promise<void>
}

export function RenameDialog({ name, isOpen, onClose, rename }: RenameDialogProps) {
  const { profiles: texts } = useTexts()
  return (
    <Dialog title={texts.renameTitle(name)} isOpen={isOpen} onClose={onClose}>
      <RenameForm name={name} onClose={onClose} rename={rename} />
    </Dialog>
  )
}

function RenameForm({ name, onClose, rename }: Omit<RenameDialogProps, 'isOpen'>) {
  const { profiles: texts } = useTexts()
  const [next, setNext] = useState(name)
  const save = async () => {
    await rename(next.trim())
    onClose()
  }
  return (
    <EditForm onSave={save} onCancel={onClose} isReady={next.trim() !== ''}>
      <TextField label={texts.name} hint={texts.nameHint} value={next} onChange={setNext} hasFocus isRequired />
    </EditForm>
  )
}
