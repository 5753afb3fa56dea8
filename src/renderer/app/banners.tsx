/** What concerns the whole window: practice mode, a lost connection, a closed vault, a log that isn't saved. */
import { PracticeBanner } from '../practice/practice-panel.tsx'
import { useConnection } from '../state/connection.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Notice } from '../ui/notice.tsx'
import type { AppSnapshot } from './snapshot.ts'
import { VaultNotices } from './vault-notices.tsx'

const minuteMs = 60_000
/** As `pointsman doctor` counts it. */
const clockOffMs = 2 * minuteMs

export function Banners({ snapshot }: { readonly snapshot: AppSnapshot }) {
  const { app, said } = useTexts()
  const format = useFormat()
  const isLost = useConnection(({ state }) => state !== 'open')
  const { vault, clock, saving } = snapshot
  return (
    <div className="banners">
      {isLost && (
        <Notice tone="warn" isAlert>
          {app.lost}
        </Notice>
      )}
      <VaultNotices vault={vault} />
      {clock !== null && Math.abs(clock.aheadMs) > clockOffMs && (
        <Notice tone="warn">
          {app.clockOff(format.duration(Math.round(Math.abs(clock.aheadMs) / minuteMs) * minuteMs), clock.aheadMs > 0)}
        </Notice>
      )}
      {snapshot.keepsOldCalls && <Notice tone="warn">{app.keepsOldCalls}</Notice>}
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
