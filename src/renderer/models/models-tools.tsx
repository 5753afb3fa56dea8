/** What the Models tab leads to: a new route rule, the outlook, the conversations; and a word when only a shadow routes. */
import { useState } from 'react'
import { ConversationsDialog } from '../outlook/conversations-dialog.tsx'
import { OutlookDialog } from '../outlook/outlook-dialog.tsx'
import { newRule } from '../routes/routes.ts'
import { useMirror } from '../state/mirror.ts'
import { settingsMirror } from '../state/settings.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

export function ModelsTools() {
  const { outlook, routes } = useTexts()
  const [open, setOpen] = useState<'outlook' | 'conversations' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen('outlook')}>
        {outlook.title}
      </Button>
      <Button kind="quiet" onPress={() => setOpen('conversations')}>
        {outlook.conversations}
      </Button>
      <Button kind="quiet" onPress={() => newRule()}>
        {routes.newRule}
      </Button>
      {open === 'outlook' && <OutlookDialog onClose={close} />}
      {open === 'conversations' && <ConversationsDialog onClose={close} />}
    </>
  )
}

export function ShadowNotice() {
  const { outlook } = useTexts()
  const { value: settings } = useMirror(settingsMirror)
  return settings?.shadow === true ? <Notice tone="plain">{outlook.shadowOn}</Notice> : null
}
