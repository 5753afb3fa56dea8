/** The thresholds of a pool's strategy, each with its sentence, range and normal value. */
import { useState } from 'react'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'
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
  const { models } = texts
  const format = useFormat()
  const { options } = strategy
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(options.map(({ name, fallback }) => [name, String(pool.strategyOptions[name] ?? fallback)])),
  )
  const isValid = ({ name, least, most }: Strategy['options'][number]): boolean => {
    const value = (values[name] ?? '').trim()
    return /^\d+(\.\d+)?$/.test(value) && Number(value) >= least && Number(value) <= most
  }
  const save = async (): Promise<void> => {
    const changed = options.filter(({ name, fallback }) => Number(values[name]) !== fallback)
    const chosen = Object.fromEntries(changed.map(({ name }) => [name, Number(values[name])]))
    if (await setStrategy(pool.id, pool.usesDefaultStrategy ? null : pool.strategy, chosen, texts)) onClose()
  }
  return (
    <Dialog title={models.optionsTitle(strategyName(strategy.id, texts))} isOpen isLight={false} onClose={onClose}>
      <EditForm onSave={save} onCancel={onClose} isReady={options.every(isValid)}>
        {options.map((option) => {
          const { name, sentence, least, most, fallback } = option
          const range = models.optionRange(format.number(least), format.number(most), format.number(fallback))
          return (
            <TextField
              key={name}
              label={models.optionNames[name] ?? name}
              hint={`${models.optionSentences[name] ?? sentence} ${range}`}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
              isInvalid={!isValid(option)}
              isNumber
            />
          )
        })}
      </EditForm>
    </Dialog>
  )
}
