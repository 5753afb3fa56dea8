/** Access keys: what each client presents, the switches that stop it, and beneath them their budgets. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { type AccessKey, keysMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/section.tsx'
import { StateMark, type Tone } from '../ui/state-mark.tsx'
import { Budgets } from './budgets.tsx'
import { FoldersDialog } from './folders-dialog.tsx'
import { type KeyAim, KeyDialog } from './key-dialog.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { SeveralKeysDialog } from './several-keys-dialog.tsx'

const tones: Readonly<Record<AccessKey['state'], Tone>> = {
  active: 'good',
  pending: 'warn',
  expired: 'warn',
  disabled: 'off',
  revoked: 'bad',
}

type Aim =
  | KeyAim
  | { readonly kind: 'several' }
  | { readonly kind: 'policy' | 'limits' | 'folders'; readonly id: string }

export function AccessKeys() {
  const { profiles: texts } = useTexts()
  const { value: keys } = useMirror(keysMirror)
  const { access } = useTexts()
  const [aim, setAim] = useState<Aim | null>(null)
  if (keys === null) return null
  const create = <Button onPress={() => setAim({ kind: 'create' })}>{texts.createKey}</Button>
  const close = () => setAim(null)
  const actions = (
    <>
      {keys.length > 1 && <Button onPress={() => setAim({ kind: 'several' })}>{access.several}</Button>}
      {create}
    </>
  )
  return (
    <>
      <Section title={texts.keys} count={keys.length} action={keys.length > 0 && actions}>
        {keys.length === 0 ? (
          <EmptyState title={texts.noKeysTitle} action={create}>
            {texts.noKeys}
          </EmptyState>
        ) : (
          <div className="key-panel">
            <table className="key-table" aria-label={texts.keyList}>
              <tbody>
                {keys.map((key) => (
                  <KeyRow key={key.id} accessKey={key} onAim={setAim} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {aim !== null && <AimedDialog aim={aim} keys={keys} onClose={close} />}
      </Section>
      <Budgets />
    </>
  )
}

interface AimedDialogProps {
  readonly aim: Aim
  readonly keys: readonly AccessKey[]
  readonly onClose: () => void
}

function AimedDialog({ aim, keys, onClose }: AimedDialogProps) {
  if (aim.kind === 'several') return <SeveralKeysDialog keys={keys} onClose={onClose} />
  if (aim.kind === 'create' || 'key' in aim) return <KeyDialog aim={aim} onClose={onClose} />
  // As it is now: it may have been changed since the dialog was opened.
  const accessKey = keys.find(({ id }) => id === aim.id)
  if (accessKey === undefined) return null
  switch (aim.kind) {
    case 'policy':
      return <PolicyDialog accessKey={accessKey} onClose={onClose} />
    case 'limits':
      return <LimitsDialog accessKey={accessKey} onClose={onClose} />
    case 'folders':
      return <FoldersDialog accessKey={accessKey} onClose={onClose} />
  }
}

interface KeyRowProps {
  readonly accessKey: AccessKey
  readonly onAim: (aim: Aim) => void
}

function KeyRow({ accessKey, onAim }: KeyRowProps) {
  const { access, profiles: texts, said, ui } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { id, label, preview, state, policy, expiresAtMs } = accessKey
  const setState = async (next: 'active' | 'disabled') => {
    try {
      await client.keys.setState({ id, state: next })
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await keysMirror.refresh()
  }
  // A key that somebody calls with is not stopped by one press.
  const disable = async () => {
    const seen = await client.keys.preview({ kind: 'keys', ids: [id], state: 'disabled' }).catch(() => null)
    if ((seen?.calls ?? 0) > 0) onAim({ kind: 'disable', key: accessKey })
    else await setState('disabled')
  }
  const told = [
    texts.policies[policy?.mode ?? 'unbound'],
    ...(isLimited(accessKey) ? [access.limited] : []),
    ...(accessKey.folders.length === 0 ? [] : [access.folderCount(accessKey.folders.length)]),
  ]
  const isOff = state === 'disabled' || state === 'pending'
  return (
    <tr>
      <th scope="row">{visible(label)}</th>
      <td className="is-soft">
        <code>{preview}</code>
      </td>
      <td className="is-soft">{told.join(access.join)}</td>
      <td className="is-soft">{expiresAtMs === null ? null : texts.expires(format.soon(expiresAtMs, nowMs))}</td>
      <td>
        <StateMark tone={tones[state]} word={texts.keyStates[state]} />
      </td>
      <td>
        <ActionMenu
          label={ui.moreFor(label)}
          actions={
            state === 'revoked'
              ? [{ id: 'none', text: texts.keyStates.revoked, run: () => {}, isDisabled: true }]
              : [
                  { id: 'policy', text: access.policy, run: () => onAim({ kind: 'policy', id }) },
                  { id: 'limits', text: access.limits, run: () => onAim({ kind: 'limits', id }) },
                  { id: 'folders', text: access.folders, run: () => onAim({ kind: 'folders', id }) },
                  {
                    id: 'state',
                    text: isOff ? texts.enable : texts.disable,
                    run: () => void (isOff ? setState('active') : disable()),
                  },
                  { id: 'rotate', text: texts.rotate, run: () => onAim({ kind: 'rotate', key: accessKey }) },
                  {
                    id: 'revoke',
                    text: texts.revoke,
                    run: () => onAim({ kind: 'revoke', key: accessKey }),
                    isDanger: true,
                  },
                ]
          }
        />
      </td>
    </tr>
  )
}

const isLimited = ({ providers, models, operations, serviceTiers, concurrency }: AccessKey): boolean =>
  [providers, models, operations, serviceTiers, concurrency].some((limit) => limit !== null)
