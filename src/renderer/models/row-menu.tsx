/** Everything that can be done to a row without dragging: the menus of a backend and of a divider. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { toast } from '../state/toasts.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import { type Action, ActionMenu } from '../ui/action-menu.tsx'
import { announce } from '../ui/announce.ts'
import { BackendDialog } from './backend-dialog.tsx'
import { testBackend } from './backend-tests.ts'
import { LossesDialog } from './losses-dialog.tsx'
import { shownTiers, step } from './moves.ts'
import { type Backend, type Pool, poolsMirror, takePools } from './pools.ts'
import { type RowKey, type Step, stepped } from './rows.ts'

const backendSteps: readonly Step[] = ['up', 'down', 'top', 'bottom', 'tier-above', 'tier-below', 'new-tier']
const dividerSteps: readonly Step[] = ['up', 'down', 'remove-divider']

export interface RowMenuProps {
  readonly pool: Pool
  readonly rowKey: RowKey
  /** The row keeps the focus when it has moved. */
  readonly onMove: (key: RowKey) => void
}

/** Moves that would change nothing can't be chosen. */
function moves({ pool, rowKey, onMove }: RowMenuProps, steps: readonly Step[], texts: Texts): readonly Action[] {
  const tiers = shownTiers(pool)
  return steps.map((each) => ({
    id: each,
    text: texts.models.menu[each],
    isDisabled: stepped(tiers, rowKey, each) === null,
    run: () => {
      if (step(pool, rowKey, each, texts)) onMove(rowKey)
    },
  }))
}

export function DividerMenu(props: RowMenuProps & { readonly name: string }) {
  const texts = useTexts()
  return <ActionMenu label={texts.ui.moreFor(props.name)} actions={moves(props, dividerSteps, texts)} />
}

export function BackendMenu(props: RowMenuProps & { readonly backend: Backend }) {
  const texts = useTexts()
  const { losses, models, said, ui } = texts
  const { pool, backend } = props
  const { backendId, sourceLabel, enabled, upstreamModel } = backend
  const [open, setOpen] = useState<'edit' | 'losses' | null>(null)
  const setEnabled = async (): Promise<void> => {
    try {
      takePools(
        await client.models.setEnabled({ backendId, enabled: !enabled, poolId: pool.id, basedOn: pool.revision }),
      )
      announce(enabled ? models.disabled(sourceLabel) : models.enabled(sourceLabel))
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await poolsMirror.refresh()
  }
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(upstreamModel)
    toast(models.copiedModel(upstreamModel))
  }
  const test = async (): Promise<void> => {
    announce(models.testing)
    const result = await testBackend(backendId)
    if (result?.kind === 'answered') announce(said.sentence(result.answer.sentence))
  }
  const actions: readonly Action[] = [
    ...moves(props, backendSteps, texts),
    {
      id: 'enabled',
      text: enabled ? models.disable : models.enable,
      run: () => void setEnabled(),
      beginsGroup: true,
    },
    { id: 'edit', text: models.edit, run: () => setOpen('edit') },
    { id: 'losses', text: losses.open, run: () => setOpen('losses') },
    { id: 'copy', text: models.copyUpstream, run: () => void copy() },
    { id: 'test', text: models.test, run: () => void test() },
  ]
  return (
    <>
      <ActionMenu label={ui.moreFor(sourceLabel)} actions={actions} />
      {open === 'edit' && <BackendDialog backend={backend} onClose={() => setOpen(null)} />}
      {open === 'losses' && <LossesDialog pool={pool} backend={backend} onClose={() => setOpen(null)} />}
    </>
  )
}
