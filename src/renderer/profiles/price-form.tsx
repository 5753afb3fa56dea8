/** Writes one own price: the model, the day from which it counts, and its rates in USD per million tokens. */
import { useState } from 'react'
import type { Problem } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { readRate } from './dollars.ts'
import { readExpiry } from './limits-draft.ts'
import { type Price, type PriceDraft, rateNames, writtenPrice } from './price-draft.ts'

export interface PriceFormProps {
  readonly first: PriceDraft
  readonly problem: Problem | null
  readonly onBack: () => void
  readonly onSave: (price: Price) => Promise<void>
}

export function PriceForm({ first, problem, onBack, onSave }: PriceFormProps) {
  const { access: texts, ui } = useTexts()
  const [draft, setDraft] = useState(first)
  const set = (change: Partial<PriceDraft>): void => setDraft((last) => ({ ...last, ...change }))
  const { model, from, rates, long, tiers } = draft
  const written = writtenPrice(draft)
  const isDated = readExpiry(from) !== undefined
  const keeps = long !== null || Object.keys(tiers).length > 0
  return (
    <Form
      onSubmit={async () => {
        if (written !== null) await onSave(written)
      }}
      foot={
        <>
          <Button onPress={onBack}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={written === null}>
            {ui.save}
          </Button>
        </>
      }
    >
      <div className="form-row">
        <TextField
          label={texts.priceColumns.model}
          hint={texts.priceModelHint}
          value={model}
          onChange={(next) => set({ model: next })}
          isCode
          isRequired
          hasFocus={first.model === ''}
        />
        <TextField
          label={texts.priceFrom}
          hint={isDated ? texts.priceFromHint : texts.badDate}
          value={from}
          onChange={(next) => set({ from: next })}
          placeholder="2027-01-31"
          isInvalid={!isDated}
        />
      </div>
      <p className="field-hint">{texts.ratesText}</p>
      <div className="form-row">
        {rateNames.map((name) => (
          <TextField
            key={name}
            label={texts.rates[name]}
            value={rates[name]}
            onChange={(next) => set({ rates: { ...rates, [name]: next } })}
            isInvalid={rates[name].trim() !== '' && readRate(rates[name]) === null}
            isRequired={name === 'input' || name === 'output'}
            isNumber
          />
        ))}
      </div>
      {keeps && <Notice tone="plain">{texts.keepsMore}</Notice>}
      <ProblemNotice problem={problem} />
    </Form>
  )
}
