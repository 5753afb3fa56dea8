/** What is wrong with the vault, and the one thing to do about it; a new one is begun only after a question. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { appMirror } from '../state/app.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import type { AppSnapshot } from './snapshot.ts'

export function VaultNotices({ vault }: { readonly vault: AppSnapshot['vault'] }) {
  const { app, said } = useTexts()
  const [isAsking, setAsking] = useState(false)
  const unlock = async () => {
    await client.vault.unlock({}).catch(() => undefined)
    await appMirror.refresh()
  }
  const isLost = vault.state === 'key-missing' || (vault.kind === 'passphrase' && vault.state === 'locked')
  const actions = (
    <>
      {isLost && <Button onPress={() => setAsking(true)}>{app.beginVault}</Button>}
      <Button onPress={() => void unlock()}>{app.unlock}</Button>
    </>
  )
  return (
    <>
      {vault.state !== 'open' && (
        <Notice tone="bad" action={actions}>
          {app.vaultClosed} {said.sentence(vault.why ?? '')}
        </Notice>
      )}
      {vault.unsaved !== null && (
        <Notice tone="warn">
          {app.unsaved} {said.sentence(vault.unsaved)}
        </Notice>
      )}
      {vault.isOlder && <Notice tone="warn">{app.olderVault}</Notice>}
      {isAsking && <BeginVault onClose={() => setAsking(false)} />}
    </>
  )
}

function BeginVault({ onClose }: { readonly onClose: () => void }) {
  const { app, ui } = useTexts()
  const [problem, setProblem] = useState<Problem | null>(null)
  const begin = async () => {
    try {
      await client.vault.setAside({})
      await appMirror.refresh()
      onClose()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  return (
    <Dialog
      title={app.beginVaultTitle}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="danger" onPress={() => void begin()}>
            {app.beginVaultNow}
          </Button>
        </>
      }
    >
      <p>{app.beginVaultText}</p>
      <ProblemNotice problem={problem} />
    </Dialog>
  )
}
