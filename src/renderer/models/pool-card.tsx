/** One model: its name and strategy, its backends in order, and what is wrong with the order, if anything. */
import { type ReactNode, useId } from 'react'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Hint } from '../ui/tooltip.tsx'
import { forgetTrouble, redo, useOrders } from './orders.ts'
import { PoolList } from './pool-list.tsx'
import { type Pool, tiersOfPool } from './pools.ts'
import { StrategyPicker } from './strategy-picker.tsx'

export function PoolCard({ pool }: { readonly pool: Pool }) {
  const { models: texts } = useTexts()
  const titleId = useId()
  const { id, model, serving, strategyServed, strategy } = pool
  const shown = useOrders((orders) => orders.shown.get(id))
  return (
    <article className="pool" aria-labelledby={titleId}>
      <header className="pool-head">
        <h3 id={titleId} className="pool-model">
          <Hint text={texts.asked[serving.client](serving.address)}>
            <bdi>{model}</bdi>
          </Hint>
        </h3>
        <CopyButton text={model} label={texts.copyModel(model)} />
        <StrategyPicker pool={pool} />
      </header>
      <Told>
        {!strategyServed && <Notice>{texts.notServed(strategy)}</Notice>}
        {serving.order.length === 0 && (
          <Notice>
            {texts.nobody} {serving.sentence}
          </Notice>
        )}
        <OrderTrouble id={id} />
      </Told>
      <PoolList pool={pool} tiers={shown ?? tiersOfPool(pool)} />
    </article>
  )
}

const Told = ({ children }: { readonly children: ReactNode }) => <div className="pool-told">{children}</div>

/** What became of an order that could not be saved, and the way to do it again. */
function OrderTrouble({ id }: { readonly id: string }) {
  const { models: texts, ui } = useTexts()
  const trouble = useOrders(({ troubles }) => troubles.get(id))
  if (trouble === undefined) return null
  const { problem } = trouble
  const why = problem.code === 'connection' ? ui.unreachable : problem.sentence
  return (
    <Notice
      tone="warn"
      isAlert
      action={
        <span className="pool-choice">
          <Button onPress={() => void redo(id)}>{texts.redo}</Button>
          <Button kind="quiet" onPress={() => forgetTrouble(id)}>
            {texts.keepTheirs}
          </Button>
        </span>
      }
    >
      {problem.code === 'conflict' ? texts.conflict : `${texts.notSaved} ${why}`}
    </Notice>
  )
}
