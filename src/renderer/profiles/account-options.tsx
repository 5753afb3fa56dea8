/** What an account may be used for, and how much of it. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Account, accountsMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { OneOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Switch, TextField } from '../ui/field.tsx'

export interface AccountOptionsProps {
  readonly account: Account
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AccountOptions({ account, isOpen, onClose }: AccountOptionsProps) {
  const { profiles: texts } = useTexts()
  return (
    <Dialog title={texts.optionsTitle(account.label)} isOpen={isOpen} isLight={false} onClose={onClose}>
      <OptionsForm account={account} onClose={onClose} />
    </Dialog>
  )
}

/** A whole number from its text; null when it is none or out of bounds. */
function read(text: string, least: number, most: number): number | null {
  const value = Number(text.trim())
  return /^\d+$/.test(text.trim()) && value >= least && value <= most ? value : null
}

const nanoUsd = 1_000_000_000
const mostPrice = 100_000

const priceOf = (text: string): number => Number(text.trim().replace(',', '.'))

function OptionsForm({ account, onClose }: Omit<AccountOptionsProps, 'isOpen'>) {
  const { profiles: texts, settings } = useTexts()
  const { id, provider } = account
  const [reserve, setReserve] = useState(String(account.reservePercent))
  const [weight, setWeight] = useState(String(account.weight))
  const [price, setPrice] = useState(account.monthlyPrice === null ? '' : String(account.monthlyPrice / nanoUsd))
  const [maySpendBeyondPlan, setSpend] = useState(account.maySpendBeyondPlan)
  const [serves, setServes] = useState(account.serves)
  const reservePercent = read(reserve, 0, 100)
  const share = read(weight, 1, 1_000)

  const isPrice = price.trim() === '' || (/^\d+([.,]\d{1,2})?$/.test(price.trim()) && priceOf(price) <= mostPrice)
  const isRight = reservePercent !== null && share !== null && isPrice

  const save = async () => {
    if (reservePercent === null || share === null || !isPrice) return
    await client.accounts.setOptions({
      id,
      reservePercent,
      maySpendBeyondPlan,
      weight: share,
      monthlyPrice: price.trim() === '' ? null : Math.round(priceOf(price) * nanoUsd),
      ...(serves === 'claude-code-only' ? {} : { serves }),
    })
    await accountsMirror.refresh()
    onClose()
  }

  return (
    <EditForm onSave={save} onCancel={onClose} isReady={isRight}>
      {provider === 'codex' && (
        <OneOf
          label={texts.servesLabel}
          value={serves}
          choices={(['any-client', 'codex-only'] as const).map((kind) => ({
            id: kind,
            text: texts.servesChoices[kind],
            hint: texts.servesHint[kind],
          }))}
          onChange={setServes}
        />
      )}
      <TextField
        label={texts.reserve}
        hint={reservePercent === null ? settings.wholeNumber('0', '100') : texts.reserveHint}
        value={reserve}
        onChange={setReserve}
        isInvalid={reservePercent === null}
        isNumber
      />
      <TextField
        label={texts.weight}
        hint={share === null ? settings.wholeNumber('1', '1000') : texts.weightHint}
        value={weight}
        onChange={setWeight}
        isInvalid={share === null}
        isNumber
      />
      <TextField
        label={texts.monthlyPrice}
        hint={isPrice ? texts.monthlyPriceHint : texts.badPrice}
        value={price}
        onChange={setPrice}
        isInvalid={!isPrice}
        isNumber
      />
      <Switch label={texts.beyondPlan} hint={texts.beyondPlanHint} isOn={maySpendBeyondPlan} onChange={setSpend} />
    </EditForm>
  )
}
