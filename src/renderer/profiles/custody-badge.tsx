/** Who renews an account's login, on its card; the times behind it on hover and focus. */
import { useNow } from '../state/now.ts'
import type { Account } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Hint } from '../ui/tooltip.tsx'

const stepMs = 60_000

/** Read-only and setup-token accounts have a badge of their own. */
export function CustodyBadge({ account }: { readonly account: Account }) {
  const { profiles: texts, ui } = useTexts()
  const format = useFormat()
  const nowMs = useNow(stepMs)
  const { holder, renewedAtMs, renewsAtMs } = account
  if (holder !== 'pointsman' && holder !== 'both') return null
  const renewed = renewedAtMs === null ? null : texts.holderRenewed(ui.ago(format.duration(nowMs - renewedAtMs)))
  const renews = renewsAtMs === null ? null : texts.holderRenews(format.soon(renewsAtMs, nowMs))
  const text = [texts.holders[holder], renewed, renews].filter((part) => part !== null).join(' · ')
  return (
    <Hint text={text}>
      <Badge tone={holder === 'both' ? 'warn' : 'plain'}>{texts.holderBadges[holder]}</Badge>
    </Hint>
  )
}
