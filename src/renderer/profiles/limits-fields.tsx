/** The fields of a key's limits; each list is either everything or what is named. */
import type { ReactNode } from 'react'
import { poolsMirror } from '../models/pools.ts'
import { useMirror } from '../state/mirror.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { SomeOf } from '../ui/choices.tsx'
import { Select, Switch, TextField } from '../ui/field.tsx'
import { type LimitsDraft, operations, readCap, readExpiry } from './limits-draft.ts'

export interface LimitsFieldsProps {
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
}

/** Stands in the choice while nothing is added. */
const addId = ' add'

export function LimitsFields({ draft, onChange }: LimitsFieldsProps) {
  const { access: texts, settings } = useTexts()
  const addresses = useAddresses(draft.providers.some)
  const { value: pools } = useMirror(poolsMirror)
  const set = (change: Partial<LimitsDraft>): void => onChange({ ...draft, ...change })
  const { expires, concurrency, providers, models, serviceTiers } = draft
  const isDated = readExpiry(expires) !== undefined
  const isCap = readCap(concurrency) !== undefined
  const named = models.text.split('\n').map((line) => line.trim())
  const others = (pools ?? []).map(({ model }) => model).filter((model) => !named.includes(model))
  return (
    <>
      <div className="form-row">
        <TextField
          label={texts.expires}
          hint={isDated ? texts.expiresHint : texts.badDate}
          value={expires}
          onChange={(next) => set({ expires: next })}
          placeholder="2027-01-31"
          isInvalid={!isDated}
        />
        <TextField
          label={texts.concurrency}
          hint={isCap ? texts.concurrencyHint : settings.wholeNumber('1', '1000')}
          value={concurrency}
          onChange={(next) => set({ concurrency: next })}
          isInvalid={!isCap}
          isNumber
        />
      </div>
      <ListLimit
        label={texts.everyAddress}
        isAll={providers.all}
        onAll={(all) => set({ providers: { ...providers, all } })}
      >
        <SomeOf
          label={texts.addresses}
          hint={texts.addressesHint}
          value={providers.some}
          choices={addresses.map((id) => ({ id, text: id === 'any' ? '/' : `/${visible(id)}` }))}
          onChange={(some) => set({ providers: { ...providers, some } })}
        />
      </ListLimit>
      <ListLimit label={texts.everyModel} isAll={models.all} onAll={(all) => set({ models: { ...models, all } })}>
        <TextField
          label={texts.models}
          hint={texts.modelsHint}
          value={models.text}
          onChange={(text) => set({ models: { ...models, text } })}
          rows={4}
          isCode
        />
        {others.length > 0 && (
          <Select
            label={texts.addModel}
            isBare
            value={addId}
            choices={[{ id: addId, text: texts.addModel }, ...others.map((id) => ({ id, text: visible(id) }))]}
            onChange={(id) => {
              if (id !== addId) set({ models: { ...models, text: [...named.filter(Boolean), id].join('\n') } })
            }}
          />
        )}
      </ListLimit>
      <ListLimit
        label={texts.everyOperation}
        isAll={draft.operations.all}
        onAll={(all) => set({ operations: { ...draft.operations, all } })}
      >
        <SomeOf
          label={texts.operations}
          value={draft.operations.some}
          choices={operations.map((id) => ({ id, text: texts.operationNames[id] }))}
          onChange={(some) => set({ operations: { ...draft.operations, some } })}
        />
      </ListLimit>
      <ListLimit
        label={texts.everyTier}
        isAll={serviceTiers.all}
        onAll={(all) => set({ serviceTiers: { ...serviceTiers, all } })}
      >
        <TextField
          label={texts.tiers}
          hint={texts.tiersHint}
          value={serviceTiers.text}
          onChange={(text) => set({ serviceTiers: { ...serviceTiers, text } })}
          placeholder="default, flex"
          isCode
        />
      </ListLimit>
    </>
  )
}

interface ListLimitProps {
  readonly label: string
  readonly isAll: boolean
  readonly onAll: (all: boolean) => void
  readonly children: ReactNode
}

function ListLimit({ label, isAll, onAll, children }: ListLimitProps) {
  return (
    <div className="list-limit">
      <Switch label={label} isOn={isAll} onChange={onAll} />
      {!isAll && children}
    </div>
  )
}

/** First path segments that clients may call; the plain address first. Those already chosen stay in sight. */
function useAddresses(chosen: readonly string[]): readonly string[] {
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const own = (profiles ?? []).flatMap(({ id, joins }) => [...joins, id])
  return [...new Set(['any', 'claude', 'codex', ...(accounts ?? []).map(({ id }) => id), ...own, ...chosen])]
}
