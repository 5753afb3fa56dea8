/** What was counted against a budget, newest first. */
import { useEffect, useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import type { Budget, LedgerLine } from '../state/budgets.ts'
import { useNow } from '../state/now.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { useMoney } from './money.ts'

const shownLines = 200

export function LedgerDialog({ budget, onClose }: { readonly budget: Budget; readonly onClose: () => void }) {
  const { access: texts, ui } = useTexts()
  const [lines, setLines] = useState<readonly LedgerLine[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    client.budgets.ledger({ id: budget.id, limit: shownLines }).then(setLines, (cause) => setProblem(problemOf(cause)))
  }, [budget.id])
  return (
    <Dialog
      title={texts.ledgerTitle(budget.label)}
      isOpen
      size="wide"
      onClose={onClose}
      foot={<Button onPress={onClose}>{ui.close}</Button>}
    >
      <ProblemNotice problem={problem} />
      {lines?.length === 0 && <p>{texts.ledgerEmpty}</p>}
      {lines !== null && lines.length > 0 && <Lines name={texts.ledgerTitle(budget.label)} lines={lines} />}
    </Dialog>
  )
}

function Lines({ name, lines }: { readonly name: string; readonly lines: readonly LedgerLine[] }) {
  const { access: texts } = useTexts()
  const money = useMoney()
  const format = useFormat()
  const nowMs = useNow(60_000)
  const { columns } = texts
  return (
    <table className="key-table" aria-label={name}>
      <thead>
        <tr>
          {[columns.time, columns.kind, columns.amount, columns.balance].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ atMs, kind, amount, balance, executionId }, at) => (
          <tr key={`${lines.length - at} ${executionId}`}>
            <td>{format.soon(atMs, nowMs)}</td>
            <td>{texts.kinds[kind]}</td>
            <td>{money(amount)}</td>
            <td>{money(balance)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
