/** The accounts and profiles that a policy names: dragged into order, moved by keyboard or menu, added, taken out. */
import { DraftList } from '../routes/draft-list.tsx'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { announce } from '../ui/announce.ts'
import { Select } from '../ui/field.tsx'
import type { KnownSource } from './known-sources.ts'
import '../styles/models.css'
import '../styles/routes.css'

export interface SourceOrderProps {
  readonly label: string
  readonly value: readonly string[]
  readonly known: readonly KnownSource[]
  readonly onChange: (value: readonly string[]) => void
}

/** Stands in the choice while nothing is added. */
const addId = ' add'

export function SourceOrder({ label, value, known, onChange }: SourceOrderProps) {
  const { access: texts, ui, routes } = useTexts()
  const byId = new Map(known.map((source) => [source.id, source]))
  const nameOf = (id: string): string => byId.get(id)?.label ?? id
  const others = known.filter(({ id }) => !value.includes(id))
  const useless = others.filter(({ servesModels }) => !servesModels)
  const add = (id: string): void => {
    if (id === addId) return
    onChange([...value, id])
    announce(routes.added(nameOf(id)))
  }
  return (
    <div className="field">
      <p className="field-label">{label}</p>
      {value.length === 0 ? (
        <p className="field-hint">{texts.noSources}</p>
      ) : (
        <DraftList
          label={label}
          tiers={[value]}
          isFlat
          nameOf={nameOf}
          tell={(id) => byId.get(id)?.told ?? ui.missing}
          onChange={(tiers) => onChange(tiers[0] ?? [])}
        />
      )}
      {others.length > useless.length && (
        <div className="draft-add">
          <Select
            label={texts.addSource(label)}
            isBare
            value={addId}
            choices={[
              { id: addId, text: texts.add },
              ...others.flatMap(({ id, label: text, told, servesModels }) =>
                servesModels ? [{ id, text: visible(text), hint: told }] : [],
              ),
            ]}
            onChange={add}
          />
        </div>
      )}
      {useless.length > 0 && (
        <p className="field-hint">{texts.useless(useless.map(({ label: text }) => visible(text)).join(', '))}</p>
      )}
    </div>
  )
}
