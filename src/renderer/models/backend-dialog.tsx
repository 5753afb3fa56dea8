/** What the person sets of one backend: its source's weight, its aliases, whether it costs anything. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Switch, TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { type Backend, poolsMirror } from './pools.ts'

export function BackendDialog({ backend, onClose }: { readonly backend: Backend; readonly onClose: () => void }) {
  const { models } = useTexts()
  const { backendId, sourceLabel, sourceType } = backend
  const [weight, setWeight] = useState(String(backend.weight))
  const [aliases, setAliases] = useState(backend.aliases.join('\n'))
  const [free, setFree] = useState(backend.free)
  const isWeight = /^\d{1,4}$/.test(weight.trim()) && Number(weight) >= 1 && Number(weight) <= 1_000
  const save = async (): Promise<void> => {
    const names = aliases.split('\n').map((name) => name.trim())
    await client.models.setBackend({
      backendId,
      weight: Number(weight),
      aliases: [...new Set(names.filter((name) => name !== ''))],
      free,
    })
    await poolsMirror.refresh()
    onClose()
  }
  return (
    <Dialog title={models.editTitle(sourceLabel)} isOpen isLight={false} onClose={onClose}>
      <EditForm onSave={save} onCancel={onClose} isReady={isWeight}>
        <TextField
          label={models.weight}
          hint={models.weightHint}
          value={weight}
          onChange={setWeight}
          isInvalid={!isWeight}
          isNumber
          hasFocus
        />
        {!isWeight && <Notice tone="bad">{models.badWeight}</Notice>}
        <TextField
          label={models.aliases}
          hint={models.aliasesHint}
          value={aliases}
          onChange={setAliases}
          rows={3}
          isCode
        />
        {sourceType !== 'subscription' && (
          <Switch label={models.isFree} hint={models.isFreeHint} isOn={free} onChange={setFree} />
        )}
      </EditForm>
    </Dialog>
  )
}
