/** Asked once when a person drags under a strategy that chooses by itself (routing §4). */
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { answer, useQuestion } from './moves.ts'
import { strategyName } from './strategy-name.ts'

export function StrategyQuestion() {
  const texts = useTexts()
  const { models } = texts
  const move = useQuestion((state) => state.move)
  if (move === null) return null
  return (
    <Dialog title={models.questionTitle} isOpen onClose={() => answer(null, texts)}>
      <p>{models.question(strategyName(move.pool.strategy, texts))}</p>
      <div className="question-choice">
        <Button kind="primary" autoFocus onPress={() => answer('mine', texts)}>
          {models.useMine}
        </Button>
        <span className="field-hint">{models.useMineHint}</span>
      </div>
      <div className="question-choice">
        <Button onPress={() => answer('keep', texts)}>{models.keepStrategy}</Button>
        <span className="field-hint">{models.keepStrategyHint}</span>
      </div>
    </Dialog>
  )
}
