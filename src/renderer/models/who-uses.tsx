/** Who relies on a model, before its order or strategy is changed: keys that may ask for it, recent calls. */
import { Users } from 'lucide-react'
import { useState } from 'react'
import { AffectedNotice, useAffected } from '../profiles/affected.tsx'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Pool } from './pools.ts'

export function WhoUses({ pool }: { readonly pool: Pool }) {
  const { access: texts } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const label = texts.whoUses(visible(pool.model))
  return (
    <>
      <IconButton label={label} onPress={() => setOpen(true)}>
        <Users size={15} aria-hidden="true" />
      </IconButton>
      {isOpen && <WhoUsesDialog pool={pool} title={label} onClose={() => setOpen(false)} />}
    </>
  )
}

interface WhoUsesDialogProps {
  readonly pool: Pool
  readonly title: string
  readonly onClose: () => void
}

function WhoUsesDialog({ pool, title, onClose }: WhoUsesDialogProps) {
  const { ui } = useTexts()
  const affected = useAffected({ kind: 'pool', poolId: pool.id })
  return (
    <Dialog title={title} isOpen onClose={onClose} foot={<Button onPress={onClose}>{ui.close}</Button>}>
      {affected.answer === null && affected.problem === null && <p className="field-hint">{ui.loading}</p>}
      <AffectedNotice {...affected} of="pool" />
    </Dialog>
  )
}
