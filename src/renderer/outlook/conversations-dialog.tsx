/** Which account each conversation is on; one can be let go, or sent to another account at its next request. */
import { useEffect, useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { onChange } from '../state/areas.ts'
import { useMirror } from '../state/mirror.ts'
import { useNow } from '../state/now.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { announce } from '../ui/announce.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { StateMark } from '../ui/state-mark.tsx'
import '../styles/outlook.css'

type Listed = Awaited<ReturnType<Client['bindings']['list']>>
type Row = Listed['rows'][number]

const everyAccount = 'every-account'
const mostShown = 200

export function ConversationsDialog({ onClose }: { readonly onClose: () => void }) {
  const { outlook: texts } = useTexts()
  return (
    <Dialog title={texts.conversations} size="full" isOpen onClose={onClose}>
      <Conversations />
    </Dialog>
  )
}

interface Target {
  readonly id: string
  readonly label: string
}

function Conversations() {
  const { outlook: texts } = useTexts()
  const [account, setAccount] = useState(everyAccount)
  const { listed, problem, act } = useConversations(account === everyAccount ? null : account)
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const targets: readonly Target[] = [...(accounts ?? []), ...(profiles ?? [])].filter(({ active }) => active)
  const format = useFormat()
  return (
    <>
      <p className="field-hint">{texts.conversationsHint}</p>
      <div className="outlook-tools">
        <Select
          label={texts.columns.account}
          isBare
          value={account}
          choices={[
            { id: everyAccount, text: texts.everyAccount },
            ...targets.map(({ id, label }) => ({ id, text: visible(label) })),
          ]}
          onChange={setAccount}
        />
        {listed !== null && (
          <span className="outlook-count">{texts.shown(listed.rows.length, format.number(listed.total))}</span>
        )}
      </div>
      <ProblemNotice problem={problem} />
      {listed !== null && listed.rows.length === 0 && <p className="outlook-empty">{texts.noConversations}</p>}
      {listed !== null && listed.rows.length > 0 && (
        <DataTable
          name={texts.conversations}
          columns={[
            { head: texts.columns.conversation },
            { head: texts.model },
            { head: texts.columns.account },
            { head: texts.columns.lastUsed },
            { head: texts.columns.state },
            { head: texts.columns.reread, isNumber: true },
            { head: texts.columns.actions, isBare: true },
          ]}
          rows={listed.rows.map((row) => ({ key: row.session, cells: cellsOf(row) }))}
        />
      )}
    </>
  )

  function cellsOf(row: Row) {
    return [
      <code key="session">{shortOf(row)}</code>,
      row.model === null ? <Missing key="model" /> : <bdi key="model">{visible(row.model)}</bdi>,
      <bdi key="account">{visible(row.sourceLabel)}</bdi>,
      <Ago key="used" atMs={row.lastUsedMs} />,
      <StateMark key="state" tone={row.warm ? 'good' : 'off'} word={stateOf(row)} />,
      row.switchCostTokens === null ? <Missing key="cost" /> : format.number(row.switchCostTokens),
      <RowActions key="actions" row={row} targets={targets} act={act} />,
    ]
  }

  function stateOf({ warm, moved }: Row): string {
    if (moved !== null) return texts.moves[moved]
    return warm ? texts.warm : texts.cold
  }
}

/** Enough of the hash to tell one from another. */
const shortOf = ({ session }: Row): string => session.slice(0, 8)

function Missing() {
  const { ui } = useTexts()
  return ui.missing
}

function Ago({ atMs }: { readonly atMs: number }) {
  const { ui } = useTexts()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const passedMs = nowMs - atMs
  return <span title={format.full(atMs)}>{passedMs < 60_000 ? ui.justNow : ui.ago(format.duration(passedMs))}</span>
}

interface RowActionsProps {
  readonly row: Row
  readonly targets: readonly Target[]
  readonly act: (what: () => Promise<unknown>, said: string) => Promise<void>
}

function RowActions({ row, targets, act }: RowActionsProps) {
  const { outlook: texts, ui } = useTexts()
  const { session, sourceId } = row
  const name = texts.conversation(shortOf(row))
  return (
    <ActionMenu
      label={ui.moreFor(name)}
      actions={[
        {
          id: ' release',
          text: texts.release,
          run: () => void act(() => client.bindings.release({ session }), texts.released(name)),
        },
        ...targets
          .filter(({ id }) => id !== sourceId)
          .map(({ id, label }, at) => ({
            id,
            text: texts.moveTo(visible(label)),
            beginsGroup: at === 0,
            run: () =>
              void act(() => client.bindings.move({ session, sourceId: id }), texts.movedTo(name, visible(label))),
          })),
      ]}
    />
  )
}

/** Read again after each command, and when calls have been added. */
function useConversations(sourceId: string | null) {
  const [listed, setListed] = useState<Listed | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => onChange('calls', () => setTurn((last) => last + 1)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another reading
  useEffect(() => {
    const abort = new AbortController()
    client.bindings
      .list({ limit: mostShown, ...(sourceId === null ? {} : { sourceId }) }, { signal: abort.signal })
      .then(setListed)
      .catch((cause: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(cause))
      })
    return () => abort.abort()
  }, [sourceId, turn])
  const act = async (what: () => Promise<unknown>, said: string): Promise<void> => {
    setProblem(null)
    try {
      await what()
      announce(said)
    } catch (cause) {
      setProblem(problemOf(cause))
    }
    setTurn((last) => last + 1)
  }
  return { listed, problem, act }
}
