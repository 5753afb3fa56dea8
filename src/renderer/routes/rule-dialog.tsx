/** Writes a route rule: where it holds, who serves there and in which order, with a preview of what that changes. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { poolsMirror, strategiesMirror } from '../models/pools.ts'
import { strategyName } from '../models/strategy-name.ts'
import { StrictChoice } from '../models/strict-choice.tsx'
import { useMirror } from '../state/mirror.ts'
import { profilesMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { announce } from '../ui/announce.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { DraftList } from './draft-list.tsx'
import { Preview } from './preview.tsx'
import { anyStyle, closeEditor, type Draft, defaultStrategy, routesMirror, useRuleEditor, written } from './routes.ts'
import '../styles/routes.css'

/** Stands in the choice while nothing is added. */
const addId = 'add'

export function RuleDialog() {
  const { routes: texts } = useTexts()
  const draft = useRuleEditor((editor) => editor.draft)
  if (draft === null) return null
  const title = draft.rule === null ? texts.newRule : texts.editRule(draft.rule.matchModel)
  return (
    <Dialog title={title} size="wide" isOpen isLight={false} onClose={closeEditor}>
      <RuleForm key={draft.rule?.id ?? ''} first={draft} />
    </Dialog>
  )
}

function RuleForm({ first }: { readonly first: Draft }) {
  const texts = useTexts()
  const { routes } = texts
  const [draft, setDraft] = useState(first)
  const { value: strategies } = useMirror(strategiesMirror)
  const addresses = useAddresses(draft.providerId)
  const backends = useBackends()
  const nameOf = (id: string): string => backends.get(id) ?? id
  const set = (change: Partial<Draft>): void => setDraft((last) => ({ ...last, ...change }))
  const named = draft.tiers.flat()
  const isReady = draft.matchModel.trim() !== '' && named.length > 0
  const others = [...backends].filter(([id]) => !named.includes(id))

  const save = async (): Promise<void> => {
    const { rule } = draft
    await client.models.setRoute({ ...written(draft), ...(rule === null ? {} : { basedOn: rule.revision }) })
    await Promise.all([routesMirror.refresh(), poolsMirror.refresh()])
    announce(routes.saved)
    closeEditor()
  }

  const add = (id: string): void => {
    const last = draft.tiers.at(-1) ?? []
    set({ tiers: [...draft.tiers.slice(0, -1), [...last, id]] })
    announce(routes.added(nameOf(id)))
  }

  return (
    <EditForm onSave={save} onCancel={closeEditor} isReady={isReady}>
      <div className="form-row">
        <TextField
          label={routes.model}
          hint={routes.modelHint}
          value={draft.matchModel}
          onChange={(matchModel) => set({ matchModel })}
          isCode
          hasFocus
        />
        <Select
          label={routes.address}
          hint={routes.addressHint}
          value={draft.providerId}
          choices={addresses.map((id) => ({ id, text: id === 'any' ? routes.anyAddress : `/${visible(id)}` }))}
          onChange={(providerId) => set({ providerId })}
        />
      </div>
      <div className="form-row">
        <Select
          label={routes.style}
          value={draft.dialect}
          choices={([anyStyle, 'messages', 'responses', 'chat'] as const).map((id) => ({
            id,
            text: routes.styles[id],
          }))}
          onChange={(dialect) => set({ dialect })}
        />
        <Select
          label={texts.models.strategy}
          value={draft.strategy}
          choices={[
            { id: defaultStrategy, text: routes.defaultStrategy },
            ...(strategies ?? []).map(({ id, sentence }) => ({
              id,
              text: strategyName(id, texts),
              hint: texts.models.strategySentences[id] ?? sentence,
            })),
          ]}
          onChange={(strategy) => set({ strategy })}
        />
      </div>
      <StrictChoice value={draft.strict} onChange={(strict) => set({ strict })} />
      <div className="field">
        <p className="field-label">{routes.backends}</p>
        {named.length === 0 ? (
          <p className="field-hint">{routes.noBackends}</p>
        ) : (
          <DraftList tiers={draft.tiers} nameOf={nameOf} onChange={(tiers) => set({ tiers })} />
        )}
        {others.length > 0 && (
          <div className="draft-add">
            <Select
              label={routes.add}
              isBare
              value={addId}
              choices={[{ id: addId, text: routes.add }, ...others.map(([id, text]) => ({ id, text: visible(text) }))]}
              onChange={(id) => id !== addId && add(id)}
            />
          </div>
        )}
      </div>
      <Preview draft={draft} nameOf={nameOf} />
    </EditForm>
  )
}

/** Every backend there is, as source and model. */
function useBackends(): ReadonlyMap<string, string> {
  const { value: pools } = useMirror(poolsMirror)
  const all = (pools ?? []).flatMap(({ tiers }) => tiers.flat())
  return new Map(
    all.map(({ backendId, sourceLabel, upstreamModel }) => [backendId, `${sourceLabel} · ${upstreamModel}`]),
  )
}

/** An account's own address is left out: it names that account and no other. */
function useAddresses(chosen: string): readonly string[] {
  const { value: profiles } = useMirror(profilesMirror)
  const own = (profiles ?? []).flatMap(({ id, joins }) => [...joins, id])
  return [...new Set(['any', 'claude', 'codex', ...own, chosen])]
}
