/** What a person reads before the first account of a vendor, and before the second; with the choice for a limit. */
import { useState } from 'react'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { OneOf } from '../ui/choices.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'

type AtLimit = 'move' | 'wait' | 'ask'

export interface Accepted {
  readonly atLimit?: AtLimit
}

export interface TermsStepProps {
  readonly vendor: 'claude' | 'codex'
  readonly needed: 'first' | 'several'
  readonly onBack: () => void
  readonly onAccept: (accepted: Accepted) => Promise<void>
}

export function TermsStep({ vendor, needed, onBack, onAccept }: TermsStepProps) {
  const { profiles: texts, ui } = useTexts()
  const [atLimit, setAtLimit] = useState<AtLimit>('move')
  const isSeveral = needed === 'several'
  return (
    <Form
      onSubmit={() => onAccept(isSeveral ? { atLimit } : {})}
      foot={
        <>
          <Button onPress={onBack}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" autoFocus>
            {texts.termsAccept}
          </Button>
        </>
      }
    >
      <h3 className="field-label">{texts.termsTitle(texts.vendors[vendor])}</h3>
      {texts.termsFirst(texts.companies[vendor]).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {isSeveral && (
        <>
          <Notice tone="warn">{texts.termsSeveral}</Notice>
          <OneOf
            label={texts.atLimit}
            value={atLimit}
            choices={(['move', 'wait', 'ask'] as const).map((id) => ({
              id,
              text: texts.atLimits[id],
              hint: texts.atLimitHints[id],
            }))}
            onChange={setAtLimit}
          />
        </>
      )}
    </Form>
  )
}
