/** One of a few, or several of a few, all in sight. */
import { Checkbox, CheckboxGroup, Label, Radio, RadioGroup, Text } from 'react-aria-components'
import type { Choice } from './field.tsx'
import { Words } from './words.tsx'
import '../styles/choices.css'

export interface OneOfProps<Id extends string> {
  readonly label: string
  readonly value: Id
  readonly choices: readonly Choice<Id>[]
  readonly onChange: (value: Id) => void
}

export function OneOf<Id extends string>({ label, value, choices, onChange }: OneOfProps<Id>) {
  return (
    <RadioGroup className="field" value={value} onChange={(next) => onChange(next as Id)}>
      <Label className="field-label">{label}</Label>
      <div className="one-of">
        {choices.map(({ id, text, hint }) => (
          <Radio key={id} value={id} className="choice">
            <span className="choice-dot" aria-hidden="true" />
            <span className="choice-words">
              <span>
                <Words text={text} />
              </span>
              {hint !== undefined && (
                <span className="field-hint">
                  <Words text={hint} />
                </span>
              )}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}

export interface SomeOfProps<Id extends string> {
  readonly label: string
  readonly hint?: string
  readonly value: readonly Id[]
  readonly choices: readonly Choice<Id>[]
  readonly onChange: (value: readonly Id[]) => void
}

export function SomeOf<Id extends string>({ label, hint, value, choices, onChange }: SomeOfProps<Id>) {
  return (
    <CheckboxGroup className="field" value={[...value]} onChange={(next) => onChange(next as Id[])}>
      <Label className="field-label">{label}</Label>
      <div className="some-of">
        {choices.map(({ id, text }) => (
          <Checkbox key={id} value={id} className="choice">
            <span className="choice-box" aria-hidden="true" />
            <span className="choice-words">{text}</span>
          </Checkbox>
        ))}
      </div>
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          <Words text={hint} />
        </Text>
      )}
    </CheckboxGroup>
  )
}
