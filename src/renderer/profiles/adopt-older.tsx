/** Takes over what the older program clovapi left: shown first, then what became of each file; seen only where it left something. */
import { useEffect, useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNotice } from '../ui/notice.tsx'

type Found = Awaited<ReturnType<Client['accounts']['adopt']>>

export function AdoptOlder() {
  const { connecting } = useTexts()
  const [found, setFound] = useState<Found>([])
  const [isOpen, setOpen] = useState(false)
  const look = async (): Promise<void> => {
    setFound(await client.accounts.adoptPreview({}).catch(() => []))
  }
  useEffect(() => {
    void client.accounts.adoptPreview({}).then(setFound, () => {})
  }, [])
  if (found.length === 0) return null
  return (
    <>
      <Button onPress={() => void look().then(() => setOpen(true))}>{connecting.adoptAction}</Button>
      {isOpen && <AdoptDialog before={found} onClose={() => setOpen(false)} />}
    </>
  )
}

function AdoptDialog({ before, onClose }: { readonly before: Found; readonly onClose: () => void }) {
  const { connecting, said, ui } = useTexts()
  const [after, setAfter] = useState<Found | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { file, outcome, why } = connecting.adoptColumns
  const adopt = async () => {
    setBusy(true)
    try {
      setAfter(await client.accounts.adopt({}))
      await Promise.all([accountsMirror.refresh(), profilesMirror.refresh()])
    } catch (cause) {
      setProblem(problemOf(cause))
    } finally {
      setBusy(false)
    }
  }
  const canAdopt = before.some((one) => one.outcome === 'new')
  return (
    <Dialog
      title={connecting.adoptTitle}
      size="wide"
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{ui.close}</Button>
          {after === null && (
            <Button kind="primary" isDisabled={!canAdopt || isBusy} onPress={() => void adopt()}>
              {connecting.adoptNow}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{after === null ? connecting.adoptText : connecting.adoptDone}</p>
      <DataTable
        name={connecting.adoptFiles}
        columns={[{ head: file }, { head: outcome }, { head: why }]}
        rows={(after ?? before).map((one, at) => ({
          key: `${at} ${one.path}`,
          cells: [visible(one.path), connecting.adoptOutcomes[one.outcome], visible(said.sentence(one.why ?? ''))],
        }))}
      />
      <ProblemNotice problem={problem} />
    </Dialog>
  )
}
