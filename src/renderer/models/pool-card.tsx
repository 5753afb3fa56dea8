/** One model: its name and strategy, its backends in order, and what is wrong with the order, if anything. */
import { memo, useId } from 'react'
import { editRule, routesMirror } from '../routes/routes.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Hint } from '../ui/tooltip.tsx'
import { followerOf } from './follower.ts'
import { forgetTrouble, redo, useOrders } from './orders.ts'
import { isLong, mostShown, PoolList, roomFor } from './pool-list.tsx'
import { forecastMirror, type Pool, tiersOfPool } from './pools.ts'
import { firstRows, rowsOf } from './rows.ts'
import { StrategyPicker } from './strategy-picker.tsx'
import { useNear } from './use-near.ts'
import { WhoUses } from './who-uses.tsx'

/** Far from sight only its name stands there, at its full height. */
export const PoolCard = memo(function PoolCard({ pool }: { readonly pool: Pool }) {
  const { models: texts } = useTexts()
  const titleId = useId()
  const { box, isNear, heightPx } = useNear<HTMLElement>()
  const { model, serving } = pool
  return (
    <article
      ref={box}
      className="pool"
      aria-labelledby={titleId}
      style={isNear || heightPx === null ? {} : { minHeight: heightPx }}
    >
      <header className="pool-head">
        <h3 id={titleId} className="pool-model">
          {isNear ? (
            <Hint text={texts.asked[serving.client](serving.address)}>
              <bdi>{visible(model)}</bdi>
            </Hint>
          ) : (
            <bdi>{visible(model)}</bdi>
          )}
        </h3>
        {isNear && (
          <>
            <CopyButton text={model} label={texts.copyModel(visible(model))} />
            <WhoUses pool={pool} />
            <NextAfter pool={pool} />
            <StrategyPicker pool={pool} />
          </>
        )}
      </header>
      {isNear ? <PoolBody pool={pool} /> : heightPx === null && <Filler pool={pool} />}
    </article>
  )
})

function Filler({ pool }: { readonly pool: Pool }) {
  const rows = rowsOf(tiersOfPool(pool))
  return <div className="pool-filler" style={roomFor(isLong(rows) ? firstRows(rows, mostShown) : rows)} />
}

function PoolBody({ pool }: { readonly pool: Pool }) {
  const { models: texts, said } = useTexts()
  const { id, serving, strategyServed, strategy } = pool
  const shown = useOrders((orders) => orders.shown.get(id))
  return (
    <>
      <div className="pool-told">
        {!strategyServed && <Notice>{texts.notServed(strategy)}</Notice>}
        {serving.route !== null && <RuleNotice pool={pool} route={serving.route} />}
        {serving.order.length === 0 && (
          <Notice>
            {texts.nobody} {visible(said.sentence(serving.sentence))}
          </Notice>
        )}
        <OrderTrouble id={id} />
      </div>
      <PoolList pool={pool} tiers={shown ?? tiersOfPool(pool)} />
    </>
  )
}

/** The list below is not what decides, and the way to what does. */
function RuleNotice({ pool, route }: { readonly pool: Pool; readonly route: string }) {
  const { routes: texts } = useTexts()
  const { value: rules } = useMirror(routesMirror)
  const rule = rules?.find(({ id }) => `route:${id}` === route)
  return (
    <Notice
      tone="plain"
      action={rule !== undefined && <Button onPress={() => editRule(rule)}>{texts.showRule}</Button>}
    >
      {texts.decides(visible(pool.model), pool.serving.address)}
    </Notice>
  )
}

/** In the head, so that it moves nothing when it comes and goes. */
function NextAfter({ pool }: { readonly pool: Pool }) {
  const { models: texts } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { value: forecasts } = useMirror(forecastMirror)
  const follower = followerOf(pool, forecasts ?? [])
  if (follower === null) return null
  const { now, next, atMs } = follower
  const text = visible(texts.nextAfter(now, next, format.soon(atMs, nowMs)))
  return (
    <p className="pool-next" title={text}>
      {text}
    </p>
  )
}

/** What became of an order that could not be saved, and the way to do it again. */
function OrderTrouble({ id }: { readonly id: string }) {
  const { models: texts, said } = useTexts()
  const trouble = useOrders(({ troubles }) => troubles.get(id))
  if (trouble === undefined) return null
  const { problem } = trouble
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
      {problem.code === 'conflict' ? texts.conflict : `${texts.notSaved} ${said.problem(problem)}`}
    </Notice>
  )
}
