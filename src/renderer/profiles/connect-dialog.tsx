/** Connects one client: by which way or in which folder, the exact lines, and only then the change. */
import { useEffect, useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { OneOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EditForm } from '../ui/edit-form.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { type Preview, PreviewLines } from './preview-lines.tsx'

export interface ConnectAim {
  readonly client: 'claude' | 'codex'
  /** Its local settings are changed in place of the person's own. */
  readonly asksFolder: boolean
}

export interface ConnectDialogProps {
  readonly aim: ConnectAim
  readonly onClose: () => void
}

type Way = 'own' | 'base-url'
type Looked = { readonly preview: Preview } | { readonly problem: Problem }

export function ConnectDialog({ aim, onClose }: ConnectDialogProps) {
  const { profiles: texts, connecting } = useTexts()
  const name = texts.clientNames[aim.client]
  return (
    <Dialog
      title={aim.asksFolder ? connecting.folderTitle : texts.connectTitle(name)}
      size="wide"
      isOpen
      isLight={!aim.asksFolder}
      onClose={onClose}
    >
      <ConnectForm aim={aim} onClose={onClose} />
    </Dialog>
  )
}

function ConnectForm({ aim, onClose }: ConnectDialogProps) {
  const { profiles: texts, connecting } = useTexts()
  const { client: name, asksFolder } = aim
  const [way, setWay] = useState<Way>('own')
  const [folder, setFolder] = useState('')
  /** The folder whose lines are shown; for a client's own file none is asked for. */
  const [shownFolder, setShownFolder] = useState<string | null>(null)
  const [looked, setLooked] = useState<Looked | null>(null)
  const isReady = !asksFolder || shownFolder !== null
  const preview = looked !== null && 'preview' in looked ? looked.preview : null

  useEffect(() => {
    if (!isReady) return
    let isCurrent = true
    void look(name, shownFolder, way).then((found) => {
      if (isCurrent) setLooked(found)
    })
    return () => {
      isCurrent = false
    }
  }, [name, shownFolder, way, isReady])

  const save = async () => {
    if (asksFolder && shownFolder === null) {
      setShownFolder(folder.trim())
      return
    }
    await client.clients.connect(aimOf(name, shownFolder, way))
    const label = texts.clientNames[name]
    toast(texts.connectedNow(shownFolder === null ? label : connecting.inFolder(label, visible(shownFolder))))
    onClose()
  }
  const isAsking = asksFolder && shownFolder === null
  return (
    <EditForm
      onSave={save}
      onCancel={onClose}
      isReady={isAsking ? folder.trim() !== '' : preview !== null}
      word={isAsking ? connecting.look : texts.connectNow}
    >
      {name === 'codex' && (
        <OneOf
          label={connecting.way}
          value={way}
          choices={(['own', 'base-url'] as const).map((id) => ({
            id,
            text: connecting.ways[id],
            hint: connecting.wayHints[id],
          }))}
          onChange={(next) => {
            setLooked(null)
            setWay(next)
          }}
        />
      )}
      {asksFolder && (
        <TextField
          label={connecting.folder}
          hint={connecting.folderHint}
          value={folder}
          onChange={(next) => {
            setFolder(next)
            setShownFolder(null)
            setLooked(null)
          }}
          hasFocus
          isCode
        />
      )}
      {preview !== null && <PreviewLines {...preview} />}
      {preview !== null && asksFolder && <Notice>{connecting.folderCare}</Notice>}
      <ProblemNotice problem={looked !== null && 'problem' in looked ? looked.problem : null} />
    </EditForm>
  )
}

const aimOf = (name: ConnectAim['client'], folder: string | null, way: Way) => ({
  client: name,
  ...(folder === null ? {} : { folder }),
  ...(way === 'base-url' ? { way } : {}),
})

async function look(name: ConnectAim['client'], folder: string | null, way: Way): Promise<Looked> {
  try {
    return { preview: await client.clients.preview(aimOf(name, folder, way)) }
  } catch (cause) {
    return { problem: problemOf(cause) }
  }
}
