/** A field that narrows down a list; Escape empties it. */
import { Search } from 'lucide-react'
import { SearchField as AriaSearchField, Input } from 'react-aria-components'
import '../styles/search-field.css'

export interface SearchFieldProps {
  /** Also what stands in it while it is empty. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField className="search-field" aria-label={label} value={value} onChange={onChange}>
      <Search size={14} aria-hidden="true" />
      <Input className="field-input" placeholder={label} spellCheck="false" autoComplete="off" />
    </AriaSearchField>
  )
}
