/** Claude Code and the Codex CLI: whether they call this address, connecting them, and taking it back exactly. */
import { useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { mirror, useMirror } from '../state/mirror.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { Section } from '../ui/section.tsx'
import { SmallModel } from './small-model.tsx'

type Status = Awaited<ReturnType<Client['clients']['status']>>[number]
type Preview = Awaited<ReturnType<Client['clients']['preview']>>

/** A connected client has an access key of its own, so the areas of keys tell of it. */
const clientsMirror = mirror(['accounts'], () => client.clients.status({}))

export function ConnectClients() {
  const { profiles: texts } = useTexts()
  const { value: all } = useMirror(clientsMirror)
  const [aim, setAim] = useState<{ readonly status: Status; readonly preview: Preview } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  if (all === null) return null

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setProblem(null)
    try {
      await act()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
    await clientsMirror.refresh()
  }
  const look = (status: Status) =>
    attempt(async () => setAim({ status, preview: await client.clients.preview({ client: status.client }) }))
  const undo = ({ client: name }: Status) =>
    attempt(async () => {
      await client.clients.restore({ client: name })
      toast(texts.disconnectedNow(texts.clientNames[name]))
    })
  const connect = ({ client: name }: Status) =>
    attempt(async () => {
      await client.clients.connect({ client: name })
      setAim(null)
      toast(texts.connectedNow(texts.clientNames[name]))
    })
  return (
    <Section title={texts.clients}>
      <ProblemNotice problem={aim === null ? problem : null} />
      <div className="cards">
        {all.map((status) => {
          const { client: name, state, path, keyLabel } = status
          const isOurs = state === 'connected' || state === 'changed'
          return (
            <Card
              key={name}
              title={texts.clientNames[name]}
              mark={<ProviderMark provider={name} />}
              subtitle={visible(path)}
              aside={<Badge tone={isOurs ? 'good' : 'plain'}>{texts.clientStates[state]}</Badge>}
              foot={
                <>
                  <span>{keyLabel === null ? '' : texts.withKey(visible(keyLabel))}</span>
                  {isOurs ? (
                    <Button onPress={() => void undo(status)}>{texts.disconnect}</Button>
                  ) : (
                    <Button onPress={() => void look(status)}>{texts.connect}</Button>
                  )}
                </>
              }
            >
              {name === 'claude' && <SmallModel />}
            </Card>
          )
        })}
      </div>
      {aim !== null && (
        <Dialog
          title={texts.connectTitle(texts.clientNames[aim.status.client])}
          size="wide"
          isOpen
          onClose={() => setAim(null)}
          foot={
            <Button kind="primary" onPress={() => void connect(aim.status)}>
              {texts.connectNow}
            </Button>
          }
        >
          <PreviewLines {...aim.preview} />
          <ProblemNotice problem={problem} />
        </Dialog>
      )}
    </Section>
  )
}

/** As a list, so that each line is read with what happens to it. */
function PreviewLines({ path, isNew, lines }: Preview) {
  const { profiles: texts } = useTexts()
  return (
    <>
      <p>{isNew ? texts.connectNew(visible(path)) : texts.connectText(visible(path))}</p>
      <ol className="preview-lines" aria-label={texts.connectLines}>
        {lines.map(({ line, kind, text }) => (
          <li key={`${kind} ${line}`} className={`preview-line is-${kind}`}>
            <span aria-hidden="true">{kind === 'added' ? '+' : '−'}</span>
            <span className="visually-hidden">{kind === 'added' ? texts.lineAdded : texts.lineRemoved}</span>
            <code>{visible(text)}</code>
          </li>
        ))}
      </ol>
    </>
  )
}
