/** Writes one own price: the model, the day from which it counts, and its rates in USD per million tokens. */
import { useState } from 'react'
import { useTexts } from '../text/texts.ts'
import { EditForm } from '../ui/edit-form.tsx'
import { Switch, TextField } from '../ui/field.tsx'
import { Folded } from '../ui/folded.tsx'
import { readRate } from './dollars.ts'
import { readExpiry } from './limits-draft.ts'
import {
  type Price,
  type PriceDraft,
  type RateTexts,
  rateNames,
  readFactors,
  readTokens,
  writtenPrice,
} from './price-draft.ts'

export interface PriceFormProps {
  readonly first: PriceDraft
  readonly onBack: () => void
  readonly onSave: (price: Price) => Promise<void>
}

export function PriceForm({ first, onBack, onSave }: PriceFormProps) {
  const { access: texts } = useTexts()
  const [draft, setDraft] = useState(first)
  const set = (change: Partial<PriceDraft>): void => setDraft((last) => ({ ...last, ...change }))
  const { model, from, rates, hasLong, longAbove, longRates, factors } = draft
  const written = writtenPrice(draft)
  const isDated = readExpiry(from) !== undefined
  return (
    <EditForm
      onSave={async () => {
        if (written !== null) await onSave(written)
      }}
      onCancel={onBack}
      isReady={written !== null}
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
      <RateFields rates={rates} nameOf={(rate) => rate} onChange={(next) => set({ rates: next })} />
      <Folded title={texts.priceMore} isOpen={first.hasLong || first.factors !== ''}>
        <div className="folded-fields">
          <Switch label={texts.hasLong} isOn={hasLong} onChange={(next) => set({ hasLong: next })} />
          {hasLong && (
            <>
              <TextField
                label={texts.longAbove}
                hint={texts.longAboveHint}
                value={longAbove}
                onChange={(next) => set({ longAbove: next })}
                placeholder="200000"
                isInvalid={longAbove !== '' && readTokens(longAbove) === null}
                isNumber
                isRequired
              />
              <RateFields rates={longRates} nameOf={texts.longRate} onChange={(next) => set({ longRates: next })} />
            </>
          )}
          <TextField
            label={texts.factors}
            hint={texts.factorsHint}
            value={factors}
            onChange={(next) => set({ factors: next })}
            rows={3}
            placeholder="flex = 0.5"
            isInvalid={readFactors(factors) === null}
            isCode
          />
        </div>
      </Folded>
    </EditForm>
  )
}

interface RateFieldsProps {
  readonly rates: RateTexts
  readonly nameOf: (rate: string) => string
  readonly onChange: (rates: RateTexts) => void
}

function RateFields({ rates, nameOf, onChange }: RateFieldsProps) {
  const { access: texts } = useTexts()
  return (
    <div className="form-row">
      {rateNames.map((name) => (
        <TextField
          key={name}
          label={nameOf(texts.rates[name])}
          value={rates[name]}
          onChange={(next) => onChange({ ...rates, [name]: next })}
          isInvalid={rates[name].trim() !== '' && readRate(rates[name]) === null}
          isRequired={name === 'input' || name === 'output'}
          isNumber
        />
      ))}
    </div>
  )
}
