/** Creates a key, gives one a new secret, disables or revokes it; a new secret is shown once. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type AccessKey, keysMirror } from '../state/sources.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { AffectedNotice, useAffected } from './affected.tsx'
import { CreateKeyForm, type MadeKey } from './create-key-form.tsx'

interface Deed {
  readonly kind: 'rotate' | 'revoke' | 'disable'
  readonly key: AccessKey
}

export type KeyAim = { readonly kind: 'create' } | Deed

export interface KeyDialogProps {
  readonly aim: KeyAim
  readonly onClose: () => void
}

export function KeyDialog({ aim, onClose }: KeyDialogProps) {
  const { profiles: texts } = useTexts()
  const [made, setMade] = useState<MadeKey | null>(null)
  const title = made === null ? titleOf(aim, texts) : texts.secretTitle(made.label)
  return (
    // A press outside must not lose a secret that is shown once, or what was written of a key.
    <Dialog title={title} isOpen isLight={made === null && aim.kind !== 'create'} onClose={onClose}>
      {made !== null ? (
        <Secret {...made} onClose={onClose} />
      ) : aim.kind === 'create' ? (
        <CreateKeyForm onClose={onClose} onMade={setMade} />
      ) : (
        <DeedForm deed={aim} onClose={onClose} onMade={setMade} />
      )}
    </Dialog>
  )
}

function titleOf(aim: KeyAim, texts: Texts['profiles']): string {
  switch (aim.kind) {
    case 'create':
      return texts.createKeyTitle
    case 'rotate':
      return texts.rotateTitle(aim.key.label)
    case 'revoke':
      return texts.revokeTitle(aim.key.label)
    case 'disable':
      return texts.disableTitle(aim.key.label)
  }
}

interface DeedFormProps {
  readonly deed: Deed
  readonly onMade: (made: MadeKey) => void
  readonly onClose: () => void
}

function DeedForm({ deed: { kind, key }, onClose, onMade }: DeedFormProps) {
  const { profiles: texts } = useTexts()
  const { id } = key
  const act = async () => {
    if (kind === 'rotate') onMade(await client.keys.rotate({ id }))
    else {
      await client.keys.setState({ id, state: kind === 'revoke' ? 'revoked' : 'disabled' })
      onClose()
    }
    await keysMirror.refresh()
  }
  const told = { rotate: texts.rotateText, revoke: texts.revokeText, disable: texts.disableText }
  const ends = kind !== 'rotate'
  const affected = useAffected(ends ? { kind: 'keys', ids: [id], state: 'disabled' } : null)
  return (
    <EditForm onSave={act} onCancel={onClose} word={texts[kind]} isDanger={ends}>
      <p>{told[kind]}</p>
      <AffectedNotice {...affected} />
    </EditForm>
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
