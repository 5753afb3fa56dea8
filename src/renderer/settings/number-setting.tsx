/** One number: saved when the field is left or Enter is pressed, put back by Escape. */
import { useEffect, useState } from 'react'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { TextField } from '../ui/field.tsx'

export interface NumberSettingProps {
  readonly label: string
  readonly hint: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly onChange: (value: number) => Promise<void>
}

export function NumberSetting({ label, hint, value, least, most, onChange }: NumberSettingProps) {
  const { settings: texts } = useTexts()
  const format = useFormat()
  const [text, setText] = useState(String(value))
  const [isWrong, setWrong] = useState(false)
  useEffect(() => setText(String(value)), [value])
  const keep = () => {
    const next = Number(text.trim())
    const isRight = /^\d+$/.test(text.trim()) && next >= least && next <= most
    setWrong(!isRight)
    if (isRight && next !== value) void onChange(next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the field inside
    <div
      className="number-setting"
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key !== 'Escape' || text === String(value)) return
        event.stopPropagation()
        setText(String(value))
        setWrong(false)
      }}
    >
      <TextField
        label={label}
        hint={isWrong ? texts.wholeNumber(format.number(least), format.number(most)) : hint}
        value={text}
        onChange={setText}
        isInvalid={isWrong}
        isNumber
      />
    </div>
  )
}
