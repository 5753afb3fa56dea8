/** Before an account or profile is switched off, signed out or deleted: who relies on it. Asked only where somebody does. */
import { type ReactNode, useState } from 'react'
import { client } from '../bridge/client.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { type Affected, AffectedNotice } from './affected.tsx'

interface Asked {
  /** What is about to be done, in one word. */
  readonly word: string
  readonly affected: Affected
  readonly act: () => void
}

export interface AskFirst {
  askFirst(word: string, act: () => void): Promise<void>
  /** Stands where the source is drawn. */
  readonly question: ReactNode
}

export function useAskFirst({ id, label }: { readonly id: string; readonly label: string }): AskFirst {
  const { access: texts, ui } = useTexts()
  const [asked, setAsked] = useState<Asked | null>(null)
  const askFirst = async (word: string, act: () => void): Promise<void> => {
    // What can't be told must not keep the person from doing it.
    const affected = await client.keys.preview({ kind: 'account', sourceId: id }).catch(() => null)
    if (affected === null || (affected.keys.length === 0 && affected.calls === 0)) act()
    else setAsked({ word, affected, act })
  }
  const close = (): void => setAsked(null)
  const question = asked !== null && (
    <Dialog title={texts.beforeTitle(asked.word, label)} isOpen onClose={close}>
      <Form
        onSubmit={async () => {
          close()
          asked.act()
        }}
        foot={
          <>
            <Button onPress={close}>{ui.cancel}</Button>
            <Button kind="danger" type="submit" autoFocus>
              {asked.word}
            </Button>
          </>
        }
      >
        <AffectedNotice answer={asked.affected} problem={null} of="account" />
      </Form>
    </Dialog>
  )
  return { askFirst, question }
}
