/** Creates a key, gives one a new secret, disables or revokes it; a new secret is shown once. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { type AccessKey, keysMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'

export type KeyAim =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate'; readonly key: AccessKey }
  | { readonly kind: 'revoke'; readonly key: AccessKey }
  | { readonly kind: 'disable'; readonly key: AccessKey }

export interface KeyDialogProps {
  readonly aim: KeyAim
  readonly onClose: () => void
}

export function KeyDialog({ aim, onClose }: KeyDialogProps) {
  const { profiles: texts } = useTexts()
  const [made, setMade] = useState<{ readonly label: string; readonly secret: string } | null>(null)
  const title =
    made !== null
      ? texts.secretTitle(made.label)
      : aim.kind === 'create'
        ? texts.createKeyTitle
        : aim.kind === 'rotate'
          ? texts.rotateTitle(aim.key.label)
          : aim.kind === 'revoke'
            ? texts.revokeTitle(aim.key.label)
            : texts.disableTitle(aim.key.label)
  return (
    // A press outside must not lose a secret that is shown once.
    <Dialog title={title} isOpen isLight={made === null} onClose={onClose}>
      {made === null ? (
        <KeyForm aim={aim} onClose={onClose} onMade={setMade} />
      ) : (
        <Secret {...made} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface KeyFormProps extends KeyDialogProps {
  readonly onMade: (made: { readonly label: string; readonly secret: string }) => void
}

function KeyForm({ aim, onClose, onMade }: KeyFormProps) {
  const { profiles: texts, ui } = useTexts()
  const [label, setLabel] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const submit = async () => {
    try {
      if (aim.kind === 'create') onMade(await client.keys.create({ label: label.trim() }))
      else if (aim.kind === 'rotate') onMade(await client.keys.rotate({ id: aim.key.id }))
      else {
        await client.keys.setState({ id: aim.key.id, state: aim.kind === 'revoke' ? 'revoked' : 'disabled' })
        onClose()
      }
      await keysMirror.refresh()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  const words = { create: ui.add, rotate: texts.rotate, revoke: texts.revoke, disable: texts.disable }
  const ends = aim.kind === 'revoke' || aim.kind === 'disable'
  const affected = useAffected(ends ? { kind: 'keys', ids: [aim.key.id], state: 'disabled' } : null)
  return (
    <Form
      onSubmit={submit}
      foot={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button
            kind={ends ? 'danger' : 'primary'}
            type="submit"
            isDisabled={aim.kind === 'create' && label.trim() === ''}
          >
            {words[aim.kind]}
          </Button>
        </>
      }
    >
      {aim.kind === 'create' && (
        <TextField
          label={texts.keyName}
          hint={texts.keyNameHint}
          value={label}
          onChange={setLabel}
          hasFocus
          isRequired
        />
      )}
      {aim.kind === 'rotate' && <p>{texts.rotateText}</p>}
      {aim.kind === 'revoke' && <p>{texts.revokeText}</p>}
      {aim.kind === 'disable' && <p>{texts.disableText}</p>}
      <AffectedNotice {...affected} />
      <ProblemNotice problem={problem} />
    </Form>
  )
}

function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { profiles: texts, ui } = useTexts()
  return (
    <Form
      onSubmit={async () => onClose()}
      foot={
        <Button kind="primary" type="submit">
          {ui.done}
        </Button>
      }
    >
      <Notice>{texts.secretText}</Notice>
      <div className="secret-box">
        <code>{secret}</code>
        <CopyButton text={secret} label={`${ui.copy}: ${texts.secret}`} hasFocus />
      </div>
    </Form>
  )
}
