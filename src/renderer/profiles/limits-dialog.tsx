/** A key's name and limits: until when, how many calls at once, which addresses, models, operations and service tiers. */
import { useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { AccessKey } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'
import { changeKey } from './key-change.ts'
import { limitsDraft, writtenLimits } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

export interface LimitsDialogProps {
  readonly accessKey: AccessKey
  readonly onClose: () => void
}

export function LimitsDialog(props: LimitsDialogProps) {
  const { access: texts } = useTexts()
  return (
    <Dialog title={texts.limitsTitle(props.accessKey.label)} size="wide" isOpen isLight={false} onClose={props.onClose}>
      <LimitsForm {...props} />
    </Dialog>
  )
}

function LimitsForm({ accessKey, onClose }: LimitsDialogProps) {
  const texts = useTexts()
  const { ui } = texts
  const [draft, setDraft] = useState(() => limitsDraft(accessKey))
  const [problem, setProblem] = useState<Problem | null>(null)
  const written = writtenLimits(draft)
  const affected = useAffected(written === null ? null : limitsOf(accessKey.id, written))
  const save = async (): Promise<void> => {
    if (written === null) return
    try {
      await changeKey(accessKey, written, texts)
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
          <Button kind="primary" type="submit" isDisabled={written === null}>
            {ui.save}
          </Button>
        </>
      }
    >
      <LimitsFields draft={draft} onChange={setDraft} />
      <AffectedNotice {...affected} />
      <ProblemNotice problem={problem} />
    </Form>
  )
}

/** A name affects nothing. */
function limitsOf(id: string, { label: _, ...limits }: NonNullable<ReturnType<typeof writtenLimits>>) {
  return { kind: 'key', id, ...limits } as const
}
