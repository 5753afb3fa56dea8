/** Which strategy orders a pool: a choice with a sentence each, and the options of the one that is chosen. */
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { appMirror } from '../state/app.ts'
import { useMirror } from '../state/mirror.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { announce } from '../ui/announce.ts'
import { IconButton } from '../ui/button.tsx'
import { type Choice, Select } from '../ui/field.tsx'
import { setStrategy } from './moves.ts'
import { type Pool, type Strategy, strategiesMirror } from './pools.ts'
import { strategyName } from './strategy-name.ts'
import { StrategyOptions } from './strategy-options.tsx'

const followDefault = 'default'

export function StrategyPicker({ pool }: { readonly pool: Pool }) {
  const texts = useTexts()
  const { models } = texts
  const { value: strategies } = useMirror(strategiesMirror)
  const { value: app } = useMirror(appMirror)
  const [isOpen, setOpen] = useState(false)
  if (strategies === null || app === null) return null
  const { model, strategy, usesDefaultStrategy, strategyServed } = pool
  const choices: Choice<string>[] = [
    {
      id: followDefault,
      text: models.defaultStrategy(strategyName(app.defaultStrategy, texts)),
      hint: models.defaultStrategyHint,
    },
    ...strategies.map((each) => choiceOf(each, texts)),
    // A stored one that is gone must still be seen as what is chosen.
    ...(strategyServed || usesDefaultStrategy ? [] : [{ id: strategy, text: strategy }]),
  ]
  const choose = async (id: string): Promise<void> => {
    const isSet = await setStrategy(pool.id, id === followDefault ? null : id, {}, texts)
    if (isSet) announce(models.strategySet(model, strategyName(id === followDefault ? app.defaultStrategy : id, texts)))
  }
  const chosen = strategies.find(({ id }) => id === strategy)
  return (
    <div className="pool-strategy">
      {chosen !== undefined && chosen.options.length > 0 && (
        <IconButton label={models.options} onPress={() => setOpen(true)}>
          <SlidersHorizontal size={15} aria-hidden="true" />
        </IconButton>
      )}
      <span className="pool-strategy-word" aria-hidden="true">
        {models.strategy}
      </span>
      <Select
        label={models.strategyOf(visible(model))}
        isBare
        value={usesDefaultStrategy ? followDefault : strategy}
        choices={choices}
        onChange={(id) => void choose(id)}
      />
      {isOpen && chosen !== undefined && (
        <StrategyOptions pool={pool} strategy={chosen} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

const choiceOf = ({ id, sentence }: Strategy, texts: Texts): Choice<string> => ({
  id,
  text: strategyName(id, texts),
  hint: texts.models.strategySentences[id] ?? sentence,
})
