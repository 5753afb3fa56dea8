/** The thresholds of a pool's strategy, each with its sentence, range and normal value. */
import { useState } from 'react'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { setStrategy } from './moves.ts'
import type { Pool, Strategy } from './pools.ts'
import { strategyName } from './strategy-name.ts'

export interface StrategyOptionsProps {
  readonly pool: Pool
  readonly strategy: Strategy
  readonly onClose: () => void
}

export function StrategyOptions({ pool, strategy, onClose }: StrategyOptionsProps) {
  const texts = useTexts()
  const { models, ui } = texts
  const format = useFormat()
  const { options } = strategy
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(options.map(({ name, fallback }) => [name, String(pool.strategyOptions[name] ?? fallback)])),
  )
  const isValid = (value: string, least: number, most: number): boolean =>
    /^\d+(\.\d+)?$/.test(value.trim()) && Number(value) >= least && Number(value) <= most
  const save = async (): Promise<void> => {
    if (!options.every(({ name, least, most }) => isValid(values[name] ?? '', least, most))) return
    const changed = options.filter(({ name, fallback }) => Number(values[name]) !== fallback)
    const chosen = Object.fromEntries(changed.map(({ name }) => [name, Number(values[name])]))
    if (await setStrategy(pool.id, pool.usesDefaultStrategy ? null : pool.strategy, chosen, texts)) onClose()
  }
  return (
    <Dialog title={models.optionsTitle(strategyName(strategy.id, texts))} isOpen isLight={false} onClose={onClose}>
      <Form
        onSubmit={save}
        foot={
          <>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button kind="primary" type="submit">
              {ui.save}
            </Button>
          </>
        }
      >
        {options.map(({ name, sentence, least, most, fallback }) => {
          const range = models.optionRange(format.number(least), format.number(most), format.number(fallback))
          return (
            <TextField
              key={name}
              label={models.optionNames[name] ?? name}
              hint={`${models.optionSentences[name] ?? sentence} ${range}`}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
              isInvalid={!isValid(values[name] ?? '', least, most)}
              isNumber
            />
          )
        })}
      </Form>
    </Dialog>
  )
}
