/** The form of a dialog that changes something: its fields, what went wrong, Cancel, and the one button that does it. */
import { type ReactNode, useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from './button.tsx'
import { Form } from './form.tsx'
import { ProblemNotice } from './notice.tsx'

export interface EditFormProps {
  /** What it throws is shown under the fields; once it succeeds, it closes or goes on by itself. */
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
  /** False while what is written is not whole. */
  readonly isReady?: boolean
  /** On the button, where it isn't "Save". */
  readonly word?: string
  readonly isDanger?: boolean
  readonly children: ReactNode
}

export function EditForm({ onSave, onCancel, isReady = true, word, isDanger = false, children }: EditFormProps) {
  const { ui } = useTexts()
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async (): Promise<void> => {
    setProblem(null)
    try {
      await onSave()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  return (
    <Form
      onSubmit={save}
      foot={
        <>
          <Button onPress={onCancel}>{ui.cancel}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" isDisabled={!isReady}>
            {word ?? ui.save}
          </Button>
        </>
      }
    >
      {children}
      <ProblemNotice problem={problem} />
    </Form>
  )
}
