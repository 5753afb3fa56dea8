/** A key's name and limits: until when, how many calls at once, which addresses, models, operations and service tiers. */
import { useState } from 'react'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { type KeyDialogProps, KeyForm } from './key-form.tsx'
import { limitsDraft, writtenLimits } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

export function LimitsDialog(props: KeyDialogProps) {
  const { access: texts } = useTexts()
  return (
    <Dialog title={texts.limitsTitle(props.accessKey.label)} size="wide" isOpen isLight={false} onClose={props.onClose}>
      <LimitsForm {...props} />
    </Dialog>
  )
}

function LimitsForm(props: KeyDialogProps) {
  const { profiles: texts } = useTexts()
  const [draft, setDraft] = useState(() => limitsDraft(props.accessKey))
  return (
    <KeyForm {...props} change={writtenLimits(draft)}>
      {/* The default key's file is kept by its name. */}
      {props.accessKey.label !== 'default' && (
        <TextField
          label={texts.keyName}
          hint={texts.keyNameHint}
          value={draft.label}
          onChange={(label) => setDraft({ ...draft, label })}
          hasFocus
          isRequired
        />
      )}
      <LimitsFields draft={draft} onChange={setDraft} />
    </KeyForm>
  )
}
