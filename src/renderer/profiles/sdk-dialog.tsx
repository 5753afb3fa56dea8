/** The lines that point the vendors' SDKs here: shown with the key masked, then once with a new key. */
import { useEffect, useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { keysMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { OneOf } from '../ui/choices.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'

type Made = Awaited<ReturnType<Client['clients']['sdk']>>
type Shell = Parameters<Client['clients']['sdk']>[0]['shell']

const shells: readonly Shell[] = ['posix', 'fish', 'powershell']

export function SdkDialog({ onClose }: { readonly onClose: () => void }) {
  const { connecting } = useTexts()
  const [made, setMade] = useState<Made | null>(null)
  return (
    // A press outside must not lose a key that is shown once.
    <Dialog title={connecting.sdkTitle} size="wide" isOpen isLight={made === null} onClose={onClose}>
      {made === null ? <SdkForm onMade={setMade} onClose={onClose} /> : <SdkLines made={made} onClose={onClose} />}
    </Dialog>
  )
}

function SdkForm({ onMade, onClose }: { readonly onMade: (made: Made) => void; readonly onClose: () => void }) {
  const { connecting } = useTexts()
  const [shell, setShell] = useState<Shell>('posix')
  const [lines, setLines] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    let isCurrent = true
    client.clients.sdkPreview({ shell }).then(
      (found) => {
        if (isCurrent) setLines(found.lines)
      },
      (cause: unknown) => setProblem(problemOf(cause)),
    )
    return () => {
      isCurrent = false
    }
  }, [shell])
  const make = async () => {
    onMade(await client.clients.sdk({ shell }))
    await keysMirror.refresh()
  }
  return (
    <EditForm onSave={make} onCancel={onClose} word={connecting.makeKey}>
      <OneOf
        label={connecting.shell}
        value={shell}
        choices={shells.map((id) => ({ id, text: connecting.shells[id] }))}
        onChange={setShell}
      />
      <p>{connecting.sdkText}</p>
      <ShellLines lines={lines} />
      <ProblemNotice problem={problem} />
    </EditForm>
  )
}

function SdkLines({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { connecting, ui } = useTexts()
  return (
    <Form
      onSubmit={async () => onClose()}
      foot={
        <Button kind="primary" type="submit">
          {ui.done}
        </Button>
      }
    >
      <Notice>{connecting.sdkMade(visible(made.keyLabel))}</Notice>
      <ShellLines lines={made.lines} />
      <CopyButton
        text={`${made.lines.join('\n')}\n`}
        label={connecting.copyLines}
        word={connecting.copyLines}
        hasFocus
      />
    </Form>
  )
}

function ShellLines({ lines }: { readonly lines: readonly string[] }) {
  const { connecting } = useTexts()
  return (
    <ol className="preview-lines" aria-label={connecting.lines}>
      {lines.map((line) => (
        <li key={line} className="preview-line">
          <code>{line}</code>
        </li>
      ))}
    </ol>
  )
}
