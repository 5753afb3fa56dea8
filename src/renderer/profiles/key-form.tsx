/** What the dialogs that change one key share: whom the change would affect, saving, and what went wrong. */
import { type ReactNode, useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { AccessKey } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
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
  const { ui } = texts
  const [problem, setProblem] = useState<Problem | null>(null)
  const affected = useAffected(change === null ? null : affecting(accessKey.id, change))
  const save = async (): Promise<void> => {
    if (change === null) return
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
          <Button kind="primary" type="submit" isDisabled={change === null}>
            {ui.save}
          </Button>
        </>
      }
    >
      {children}
      <AffectedNotice {...affected} />
      <ProblemNotice problem={problem} />
    </Form>
  )
}

/** A name affects nothing. */
function affecting(id: string, { label: _, ...change }: KeyChange) {
  return { kind: 'key', id, ...change } as const
}
