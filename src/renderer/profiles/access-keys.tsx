/** Access keys: what each client presents, and the switches that stop it. */
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
import { type KeyAim, KeyDialog } from './key-dialog.tsx'

const tones: Readonly<Record<AccessKey['state'], Tone>> = {
  active: 'good',
  pending: 'warn',
  expired: 'warn',
  disabled: 'off',
  revoked: 'bad',
}

export function AccessKeys() {
  const { profiles: texts } = useTexts()
  const { value: keys } = useMirror(keysMirror)
  const [aim, setAim] = useState<KeyAim | null>(null)
  if (keys === null) return null
  const create = <Button onPress={() => setAim({ kind: 'create' })}>{texts.createKey}</Button>
  return (
    <Section title={texts.keys} count={keys.length} action={keys.length > 0 && create}>
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
      {aim !== null && <KeyDialog aim={aim} onClose={() => setAim(null)} />}
    </Section>
  )
}

interface KeyRowProps {
  readonly accessKey: AccessKey
  readonly onAim: (aim: KeyAim) => void
}

function KeyRow({ accessKey, onAim }: KeyRowProps) {
  const { profiles: texts, ui } = useTexts()
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
