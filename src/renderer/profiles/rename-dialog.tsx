/** Asks for a new name. */
import { useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ProblemNotice } from '../ui/notice.tsx'

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
  const { profiles: texts, ui } = useTexts()
  const [next, setNext] = useState(name)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async () => {
    try {
      await rename(next.trim())
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
          <Button kind="primary" type="submit" isDisabled={next.trim() === ''}>
            {ui.save}
          </Button>
        </>
      }
    >
      <TextField label={texts.name} hint={texts.nameHint} value={next} onChange={setNext} hasFocus isRequired />
      <ProblemNotice problem={problem} />
    </Form>
  )
}
