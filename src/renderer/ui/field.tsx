/** Fields of a form: text in one line or several, a choice, a switch; each with a sentence that says what it does. */
import { ChevronDown } from 'lucide-react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  Switch as AriaSwitch,
  TextField as AriaTextField,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  TextArea,
} from 'react-aria-components'
import { Words } from './words.tsx'
import '../styles/field.css'
import '../styles/menu.css'

interface FieldProps {
  readonly label: string
  readonly hint?: string
}

export interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
  /** Hidden while typed, never remembered by the browser. */
  readonly isSecret?: boolean
  readonly isCode?: boolean
  readonly isNumber?: boolean
  readonly isRequired?: boolean
  readonly isInvalid?: boolean
  readonly placeholder?: string
  readonly hasFocus?: boolean
}

export function TextField(props: TextFieldProps) {
  const { label, hint, value, onChange, rows, placeholder } = props
  const { isSecret = false, isCode = false, isNumber = false, isRequired = false, isInvalid = false } = props
  const className = isCode || isSecret ? 'field-input is-code' : 'field-input'
  return (
    <AriaTextField
      className="field"
      value={value}
      onChange={onChange}
      isRequired={isRequired}
      isInvalid={isInvalid}
      type={isSecret && rows === undefined ? 'password' : 'text'}
      autoComplete="off"
      autoFocus={props.hasFocus ?? false}
      {...(isNumber ? { inputMode: 'numeric' as const } : {})}
    >
      <Label className="field-label">{label}</Label>
      {rows === undefined ? (
        <Input className={className} placeholder={placeholder ?? ''} spellCheck="false" data-1p-ignore="" />
      ) : (
        <TextArea className={className} rows={rows} placeholder={placeholder ?? ''} spellCheck="false" />
      )}
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          <Words text={hint} />
        </Text>
      )}
    </AriaTextField>
  )
}

export interface Choice<Id extends string> {
  readonly id: Id
  readonly text: string
  /** A second line in the list. */
  readonly hint?: string
}

export interface SelectProps<Id extends string> extends FieldProps {
  readonly value: Id
  readonly choices: readonly Choice<Id>[]
  readonly onChange: (value: Id) => void
  /** The label is read but not shown. */
  readonly isBare?: boolean
}

export function Select<Id extends string>({ label, hint, value, choices, onChange, isBare = false }: SelectProps<Id>) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => {
        const chosen = choices.find(({ id }) => id === key)
        if (chosen !== undefined) onChange(chosen.id)
      }}
    >
      <Label className={isBare ? 'visually-hidden' : 'field-label'}>{label}</Label>
      <AriaButton className="button button-plain select-button">
        <SelectValue className="select-value">{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown size={14} aria-hidden="true" />
      </AriaButton>
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          <Words text={hint} />
        </Text>
      )}
      <Popover className="popover" offset={4}>
        <ListBox className="menu">
          {choices.map((choice) => (
            <ListBoxItem key={choice.id} id={choice.id} textValue={choice.text} className="menu-item">
              {/* One name for both lines: what is seen is what is read. */}
              <span>{choice.text}</span>
              {choice.hint !== undefined && <span className="menu-hint">{choice.hint}</span>}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

export interface SwitchProps extends FieldProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  return (
    <div className="field">
      <AriaSwitch className="switch" isSelected={isOn} onChange={onChange}>
        <span className="switch-track" aria-hidden="true">
          <span className="switch-knob" />
        </span>
        <span className="switch-label">{label}</span>
      </AriaSwitch>
      {hint !== undefined && (
        <p className="field-hint">
          <Words text={hint} />
        </p>
      )}
    </div>
  )
}
