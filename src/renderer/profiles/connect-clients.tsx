/** Claude Code, the Codex CLI and the SDKs: whether they call this address, connecting them, and taking it back exactly. */
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
import { ProblemNotice } from '../ui/notice.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { Section } from '../ui/section.tsx'
import { type ConnectAim, ConnectDialog } from './connect-dialog.tsx'
import { SdkDialog } from './sdk-dialog.tsx'
import { SmallModel } from './small-model.tsx'

type Status = Awaited<ReturnType<Client['clients']['status']>>[number]

/** A connected client has an access key of its own, so the areas of keys tell of it. */
const clientsMirror = mirror(['accounts'], () => client.clients.status({}))

export function ConnectClients() {
  const { profiles: texts, connecting } = useTexts()
  const { value: all } = useMirror(clientsMirror)
  const [aim, setAim] = useState<ConnectAim | 'sdk' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  if (all === null) return null

  const undo = async (status: Status) => {
    setProblem(null)
    const { client: name, folder } = status
    try {
      await client.clients.restore({ client: name, ...(folder === null ? {} : { folder }) })
      toast(texts.disconnectedNow(nameOf(status)))
    } catch (cause) {
      setProblem(problemOf(cause))
    }
    await clientsMirror.refresh()
  }
  const close = () => {
    setAim(null)
    void clientsMirror.refresh()
  }
  const nameOf = ({ client: name, folder }: Status): string =>
    folder === null ? texts.clientNames[name] : connecting.inFolder(texts.clientNames[name], visible(folder))
  return (
    <Section
      title={texts.clients}
      action={<Button onPress={() => setAim({ client: 'claude', asksFolder: true })}>{connecting.folderAction}</Button>}
    >
      <ProblemNotice problem={problem} />
      <div className="cards">
        {all.map((status) => {
          const { client: name, folder } = status
          return (
            <ClientCard
              key={`${name} ${folder}`}
              title={nameOf(status)}
              status={status}
              onConnect={() => setAim({ client: name, asksFolder: false })}
              onUndo={() => void undo(status)}
            />
          )
        })}
        <Card
          title={connecting.sdks}
          subtitle={connecting.sdksText}
          foot={
            <>
              <span>{connecting.sdksNothing}</span>
              <Button onPress={() => setAim('sdk')}>{connecting.sdkAction}</Button>
            </>
          }
        />
      </div>
      {aim === 'sdk' && <SdkDialog onClose={() => setAim(null)} />}
      {aim !== null && aim !== 'sdk' && <ConnectDialog aim={aim} onClose={close} />}
    </Section>
  )
}

interface ClientCardProps {
  readonly title: string
  readonly status: Status
  readonly onConnect: () => void
  readonly onUndo: () => void
}

function ClientCard({ title, status, onConnect, onUndo }: ClientCardProps) {
  const { profiles: texts, connecting } = useTexts()
  const { client: name, folder, state, way, path, keyLabel } = status
  const isOurs = state === 'connected' || state === 'changed'
  const facts = [
    keyLabel === null ? null : texts.withKey(visible(keyLabel)),
    way === 'base-url' ? connecting.byAddress : null,
  ]
  return (
    <Card
      title={title}
      mark={<ProviderMark provider={name} />}
      subtitle={visible(path)}
      aside={<Badge tone={isOurs ? 'good' : 'plain'}>{texts.clientStates[state]}</Badge>}
      foot={
        <>
          <span>{facts.filter((fact) => fact !== null).join(' · ')}</span>
          {isOurs || folder !== null ? (
            <Button onPress={onUndo}>{texts.disconnect}</Button>
          ) : (
            <Button onPress={onConnect}>{texts.connect}</Button>
          )}
        </>
      }
    >
      {name === 'claude' && folder === null && <SmallModel />}
    </Card>
  )
}
