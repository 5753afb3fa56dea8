/** Access keys: what each client presents, the switches that stop it, and beneath them their budgets. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { useMirror } from '../state/mirror.ts'
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
import { type KeyAim, KeyDialog } from './key-dialog.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { SeveralKeysDialog } from './several-keys-dialog.tsx'

const tones: Readonly<Record<AccessKey['state'], Tone>> = {
  active: 'good',
  pending: 'warn',
  expired: 'warn',
  disabled: 'off',
  revoked: 'bad',
}

type Aim = KeyAim | { readonly kind: 'several' } | { readonly kind: 'policy'; readonly key: AccessKey }

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
        {aim?.kind === 'several' && <SeveralKeysDialog keys={keys} onClose={close} />}
        {aim?.kind === 'policy' && <PolicyDialog accessKey={aim.key} onClose={close} />}
        {aim !== null && aim.kind !== 'several' && aim.kind !== 'policy' && <KeyDialog aim={aim} onClose={close} />}
      </Section>
      <Budgets />
    </>
  )
}

interface KeyRowProps {
  readonly accessKey: AccessKey
  readonly onAim: (aim: Aim) => void
}

function KeyRow({ accessKey, onAim }: KeyRowProps) {
  const { access, profiles: texts, ui } = useTexts()
  const format = useFormat()
  const { id, label, preview, state, policy, expiresAtMs } = accessKey
  const setState = async (next: 'active' | 'disabled') => {
    try {
      await client.keys.setState({ id, state: next })
    } catch (cause) {
      toast(problemOf(cause).sentence || ui.unreachable)
    }
    await keysMirror.refresh()
  }
  const isOff = state === 'disabled' || state === 'pending'
  return (
    <tr>
      <th scope="row">{visible(label)}</th>
      <td>
        <code className="is-soft">{preview}</code>
      </td>
      <td className="is-soft">{texts.policies[policy?.mode ?? 'unbound']}</td>
      <td className="is-soft">{expiresAtMs === null ? null : texts.expires(format.soon(expiresAtMs, expiresAtMs))}</td>
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
                  { id: 'policy', text: access.policy, run: () => onAim({ kind: 'policy', key: accessKey }) },
                  {
                    id: 'state',
                    text: isOff ? texts.enable : texts.disable,
                    run: () => void setState(isOff ? 'active' : 'disabled'),
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
