/** What was counted against a budget, newest first, each with its reason; a call's cost can be given back from here. */
import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { Budget, LedgerLine } from '../state/budgets.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { CorrectionDialog } from './correction-dialog.tsx'
import { useMoney } from './money.ts'

const shownLines = 200

export function LedgerDialog({ budget, onClose }: { readonly budget: Budget; readonly onClose: () => void }) {
  const { access: texts, ui } = useTexts()
  const { lines, problem } = useLedger(budget)
  const [refunds, setRefunds] = useState<LedgerLine | null>(null)
  if (refunds !== null) return <CorrectionDialog budget={budget} refunds={refunds} onClose={() => setRefunds(null)} />
  return (
    <Dialog
      title={texts.ledgerTitle(budget.label)}
      isOpen
      size="wide"
      onClose={onClose}
      foot={<Button onPress={onClose}>{ui.close}</Button>}
    >
      <ProblemNotice problem={problem} />
      {lines?.length === 0 && <EmptyState title={texts.ledgerEmpty}>{texts.ledgerEmptyText}</EmptyState>}
      {lines !== null && lines.length > 0 && (
        <>
          <Lines name={texts.ledgerTitle(budget.label)} lines={lines} onRefund={setRefunds} />
          {lines.length === shownLines && <p className="field-hint">{texts.ledgerMore(shownLines)}</p>}
        </>
      )}
    </Dialog>
  )
}

/** Read again whenever the balance has moved. */
function useLedger({ id, left }: Budget) {
  const [lines, setLines] = useState<readonly LedgerLine[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another balance is another reading
  useEffect(() => {
    const abort = new AbortController()
    client.budgets
      .ledger({ id, limit: shownLines }, { signal: abort.signal })
      .then(setLines)
      .catch((cause: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(cause))
      })
    return () => abort.abort()
  }, [id, left])
  return { lines, problem }
}

interface LinesProps {
  readonly name: string
  readonly lines: readonly LedgerLine[]
  readonly onRefund: (line: LedgerLine) => void
}

function Lines({ name, lines, onRefund }: LinesProps) {
  const { access: texts } = useTexts()
  const money = useMoney()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { columns } = texts
  const refunded = new Set(lines.flatMap(({ kind, executionId }) => (kind === 'refund' ? [executionId] : [])))
  const refundOf = (line: LedgerLine): ReactNode => {
    if (line.kind !== 'settle' || line.executionId === null || refunded.has(line.executionId)) return null
    return (
      <IconButton label={texts.refundOf(line.executionId)} onPress={() => onRefund(line)}>
        <Undo2 size={15} aria-hidden="true" />
      </IconButton>
    )
  }
  return (
    <DataTable
      name={name}
      columns={[
        { head: columns.time },
        { head: columns.kind },
        { head: columns.amount, isNumber: true },
        { head: columns.balance, isNumber: true },
        { head: columns.reason },
        { head: columns.refund, isBare: true },
      ]}
      rows={lines.map((line, at) => ({
        key: `${lines.length - at} ${line.executionId}`,
        cells: [
          format.soon(line.atMs, nowMs),
          texts.kinds[line.kind],
          money(line.amount),
          money(line.balance),
          <Reason key="reason" line={line} />,
          refundOf(line),
        ],
      }))}
    />
  )
}

/** A call's line leads to its call; one by hand says why. */
function Reason({ line: { note, executionId } }: { readonly line: LedgerLine }) {
  const { ui } = useTexts()
  const [call] = (executionId ?? '').split('#', 1)
  if (note !== null) return <span className="ledger-note">{visible(note)}</span>
  return call === undefined || call === '' ? ui.missing : <a href={`#calls/${call}`}>{executionId}</a>
}
