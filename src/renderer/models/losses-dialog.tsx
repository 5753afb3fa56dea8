/** Per client dialect: whether a backend speaks it, or what its translation loses. */
import { useEffect, useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Words } from '../ui/words.tsx'
import { type Backend, type Pool, poolsMirror } from './pools.ts'
import { StrictChoice } from './strict-choice.tsx'
import '../styles/losses.css'

type Translation = Awaited<ReturnType<Client['models']['losses']>>[number]

const dialects = ['messages', 'responses', 'chat'] as const

export interface LossesDialogProps {
  readonly pool: Pool
  readonly backend: Backend
  readonly onClose: () => void
}

export function LossesDialog({ pool, backend, onClose }: LossesDialogProps) {
  const { losses: texts, ui } = useTexts()
  const { backendId, sourceLabel } = backend
  const [translations, setTranslations] = useState<readonly Translation[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    client.models.losses({ backendId }).then(setTranslations, (cause) => setProblem(problemOf(cause)))
  }, [backendId])
  const setStrict = async (strict: boolean | null): Promise<void> => {
    try {
      await client.models.setStrict({ poolId: pool.id, strict })
    } catch (cause) {
      setProblem(problemOf(cause))
    }
    await poolsMirror.refresh()
  }
  return (
    <Dialog
      title={texts.title(sourceLabel)}
      isOpen
      size="wide"
      onClose={onClose}
      foot={<Button onPress={onClose}>{ui.close}</Button>}
    >
      <ProblemNotice problem={problem} />
      {backend.translates.length > 0 && (
        <StrictChoice value={pool.strict} onChange={(strict) => void setStrict(strict)} />
      )}
      {translations !== null &&
        dialects.map((dialect) => (
          <ClientPart
            key={dialect}
            dialect={dialect}
            isSpoken={backend.dialects.includes(dialect)}
            isStrict={pool.isStrict}
            translation={translations.find(({ from }) => from === dialect)}
          />
        ))}
    </Dialog>
  )
}

interface ClientPartProps {
  readonly dialect: (typeof dialects)[number]
  readonly isSpoken: boolean
  readonly isStrict: boolean
  readonly translation: Translation | undefined
}

function ClientPart({ dialect, isSpoken, isStrict, translation }: ClientPartProps) {
  const { losses: texts } = useTexts()
  const name = texts.clients[dialect]
  return (
    <div className="losses-part">
      <h3 className="losses-client">
        {name} {translation !== undefined && <Badge>{texts.badge}</Badge>}
      </h3>
      {translation === undefined ? (
        <p>{isSpoken ? texts.spoken : texts.notServed}</p>
      ) : (
        <>
          <p>{texts.into(texts.dialects[translation.to])}</p>
          <DataTable
            name={name}
            columns={[{ head: texts.action }, { head: texts.what }]}
            rows={translation.losses.map(({ id, action, sentence }) => ({
              key: id,
              cells: [
                texts.actions[isStrict && action === 'dropped' ? 'refused' : action],
                <Words key={id} text={texts.sentences[id] ?? sentence} />,
              ],
            }))}
          />
        </>
      )}
    </div>
  )
}
