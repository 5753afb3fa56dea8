/** What concerns the whole window: practice mode, a lost connection, a closed vault, a log that isn't saved. */
import { client } from '../bridge/client.ts'
import { PracticeBanner } from '../practice/practice-panel.tsx'
import { appMirror } from '../state/app.ts'
import { useConnection } from '../state/connection.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { AppSnapshot } from './snapshot.ts'

export function Banners({ snapshot }: { readonly snapshot: AppSnapshot }) {
  const { app, said } = useTexts()
  const isLost = useConnection(({ state }) => state !== 'open')
  const { vault, saving } = snapshot
  const unlock = async () => {
    await client.vault.unlock({}).catch(() => undefined)
    await appMirror.refresh()
  }
  return (
    <div className="banners">
      {isLost && (
        <Notice tone="warn" isAlert>
          {app.lost}
        </Notice>
      )}
      {vault.state !== 'open' && (
        <Notice tone="bad" action={<Button onPress={() => void unlock()}>{app.unlock}</Button>}>
          {app.vaultClosed} {said.sentence(vault.why ?? '')}
        </Notice>
      )}
      {vault.unsaved !== null && (
        <Notice tone="warn">
          {app.unsaved} {said.sentence(vault.unsaved)}
        </Notice>
      )}
      {!saving.saving && (
        <Notice tone="warn">
          {app.savingStopped} {said.sentence(saving.why ?? '')}
        </Notice>
      )}
      {snapshot.repaired.map(({ file, because, rows, asideName }) => (
        <Notice key={asideName} tone="warn">
          {app.repaired(file, said.sentence(because), rows, asideName)}
        </Notice>
      ))}
      {snapshot.practice && <PracticeBanner />}
    </div>
  )
}
