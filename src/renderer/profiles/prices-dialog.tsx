/** Prices: the person's own with the day from which each counts, and what counts now for every model there is. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { type CountingPrice, pricesMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { settingsMirror } from '../state/settings.ts'
import { toast } from '../state/toasts.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { useMoney } from './money.ts'
import { isSamePrice, type Price, type PriceDraft, priceDraft, withPrice } from './price-draft.ts'
import { PriceForm } from './price-form.tsx'

interface Aim {
  readonly draft: PriceDraft
  /** The own price that is being changed; null for a new one. */
  readonly replaced: Price | null
}

export function PricesDialog({ onClose }: { readonly onClose: () => void }) {
  const { access: texts, said, ui } = useTexts()
  const { value: settings } = useMirror(settingsMirror)
  const { value: counting } = useMirror(pricesMirror)
  const [aim, setAim] = useState<Aim | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  if (settings === null || counting === null) return null
  const own = settings.prices
  const save = async (prices: readonly Price[], done: string): Promise<void> => {
    const set = async (next: readonly Price[]) => {
      await client.settings.set({ prices: next.map((price) => ({ ...price, tiers: { ...price.tiers } })) })
      await Promise.all([settingsMirror.refresh(), pricesMirror.refresh()])
    }
    await set(prices)
    setProblem(null)
    setAim(null)
    toast(done, {
      undo: () => void set(own).catch((cause: unknown) => toast(said.problem(problemOf(cause)))),
    })
  }
  const remove = (price: Price): void => {
    const left = own.filter((one) => !isSamePrice(one, price))
    save(left, texts.priceRemoved(price.model)).catch((cause: unknown) => setProblem(problemOf(cause)))
  }
  if (aim !== null) {
    return (
      <Dialog title={texts.priceTitle} isOpen isLight={false} onClose={onClose}>
        <PriceForm
          first={aim.draft}
          onBack={() => setAim(null)}
          onSave={(price) => save(withPrice(own, price, aim.replaced), texts.priceSaved(price.model))}
        />
      </Dialog>
    )
  }
  const unpriced = counting.filter(({ counts }) => counts === 'none').map(({ model }) => visible(model))
  const today = new Date().setHours(0, 0, 0, 0)
  return (
    <Dialog
      title={texts.pricesTitle}
      size="wide"
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={() => setAim({ draft: priceDraft('', null, today), replaced: null })}>
            {texts.addPrice}
          </Button>
          <Button onPress={onClose}>{ui.close}</Button>
        </>
      }
    >
      <p className="field-hint">{texts.pricesText}</p>
      <ProblemNotice problem={problem} />
      {unpriced.length > 0 && <Notice>{texts.unpriced(unpriced.join(', '))}</Notice>}
      <OwnPrices
        own={own}
        onEdit={(price) => setAim({ draft: priceDraft(price.model, price, price.fromMs), replaced: price })}
        onRemove={remove}
      />
      <CountingPrices
        counting={counting}
        onOwn={({ model, price, listed }) =>
          setAim({ draft: priceDraft(model, price ?? listed, today), replaced: null })
        }
      />
    </Dialog>
  )
}

interface OwnPricesProps {
  readonly own: readonly Price[]
  readonly onEdit: (price: Price) => void
  readonly onRemove: (price: Price) => void
}

function OwnPrices({ own, onEdit, onRemove }: OwnPricesProps) {
  const { access: texts, ui } = useTexts()
  const format = useFormat()
  const rate = useRate()
  const { priceColumns: columns } = texts
  return (
    <section className="price-part">
      <h3 className="field-label">{texts.ownPrices}</h3>
      {own.length === 0 ? (
        <p className="field-hint">{texts.noOwnPrices}</p>
      ) : (
        <DataTable
          name={texts.ownPrices}
          columns={[
            { head: columns.model },
            { head: columns.from },
            { head: columns.input, isNumber: true },
            { head: columns.cacheRead, isNumber: true },
            { head: columns.output, isNumber: true },
            { head: columns.actions, isBare: true },
          ]}
          rows={own.map((price) => ({
            key: `${price.model} ${price.fromMs}`,
            cells: [
              <code key="model">{visible(price.model)}</code>,
              price.fromMs === 0 ? texts.always : format.day(price.fromMs),
              rate(price.input),
              rate(price.cacheRead),
              rate(price.output),
              <ActionMenu
                key="actions"
                label={ui.moreFor(
                  texts.priceName(price.model, price.fromMs === 0 ? texts.always : format.day(price.fromMs)),
                )}
                actions={[
                  { id: 'edit', text: texts.edit, run: () => onEdit(price) },
                  { id: 'remove', text: ui.delete, run: () => onRemove(price), isDanger: true },
                ]}
              />,
            ],
          }))}
        />
      )}
    </section>
  )
}

interface CountingPricesProps {
  readonly counting: readonly CountingPrice[]
  readonly onOwn: (price: CountingPrice) => void
}

function CountingPrices({ counting, onOwn }: CountingPricesProps) {
  const { access: texts, ui } = useTexts()
  const rate = useRate()
  const { priceColumns: columns } = texts
  return (
    <section className="price-part">
      <h3 className="field-label">{texts.countingPrices}</h3>
      {counting.length === 0 ? (
        <p className="field-hint">{texts.noModels}</p>
      ) : (
        <DataTable
          name={texts.countingPrices}
          columns={[
            { head: columns.model },
            { head: columns.counts },
            { head: columns.input, isNumber: true },
            { head: columns.cacheRead, isNumber: true },
            { head: columns.output, isNumber: true },
            { head: columns.actions, isBare: true },
          ]}
          rows={counting.map((one) => ({
            key: one.model,
            cells: [
              <code key="model">{visible(one.model)}</code>,
              <Badge key="counts" tone={one.counts === 'none' ? 'warn' : 'plain'}>
                {texts.counts[one.counts]}
              </Badge>,
              rate(one.price?.input ?? null),
              rate(one.price?.cacheRead ?? null),
              rate(one.price?.output ?? null),
              <ActionMenu
                key="actions"
                label={ui.moreFor(one.model)}
                actions={[{ id: 'own', text: texts.setOwn, run: () => onOwn(one) }]}
              />,
            ],
          }))}
        />
      )}
    </section>
  )
}

/** Nano-USD per token as USD per million tokens. */
function useRate(): (rate: number | null) => string {
  const { ui } = useTexts()
  const money = useMoney()
  return (rate) => (rate === null ? ui.missing : money(rate * 1_000_000))
}
