/** Practice mode's banner and panel: a fault for each source, so that a newcomer sees failover happen and explained. */
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { mirror, useMirror } from '../state/mirror.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { announce } from '../ui/announce.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { StateShape } from '../ui/state-mark.tsx'
import '../styles/practice.css'

const practiceMirror = mirror(['accounts', 'models', 'quota'], () => client.practice.state({}))

type Fault = Awaited<ReturnType<typeof client.practice.state>>['sources'][number]['fault']
const faults: readonly Fault[] = ['none', 'exhaust', 'overload', 'cut', 'revoke', 'slow']

/** The banner of practice mode; the faults are behind it, on every tab. */
export function PracticeBanner() {
  const { app } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  return (
    <div className="practice">
      <div className="practice-head">
        <p className="practice-text">{app.practice}</p>
        <Button aria-expanded={isOpen} aria-controls={panelId} onPress={() => setOpen(!isOpen)}>
          {app.practicePanel}
          <ChevronDown size={14} className={isOpen ? 'practice-arrow is-open' : 'practice-arrow'} aria-hidden="true" />
        </Button>
      </div>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && <PracticePanel />}
      </div>
    </div>
  )
}

function PracticePanel() {
  const { practice: texts, said } = useTexts()
  const { value, problem } = useMirror(practiceMirror)
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const place = (id: string) => [...(accounts ?? []), ...(profiles ?? [])].findIndex((source) => source.id === id)
  if (value === null) return <ProblemNotice problem={problem} />
  const set = async (sourceId: string, label: string, fault: Fault) => {
    practiceMirror.foresee((state) => ({
      ...state,
      sources: state.sources.map((source) => (source.sourceId === sourceId ? { ...source, fault } : source)),
    }))
    try {
      await client.practice.fault({ sourceId, fault })
      announce(texts.set(label, texts.faults[fault]))
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await practiceMirror.refresh()
  }
  return (
    <section className="practice-panel" aria-label={texts.title}>
      <p className="practice-text">{texts.text}</p>
      <ul className="practice-list">
        {[...value.sources]
          .sort((a, b) => place(a.sourceId) - place(b.sourceId))
          .map(({ sourceId, label, fault }) => (
            <li key={sourceId} className="practice-row">
              <StateShape tone={fault === 'none' ? 'good' : fault === 'slow' ? 'warn' : 'bad'} />
              <span className="practice-name">{visible(label)}</span>
              <Select
                label={texts.fault(visible(label))}
                isBare
                value={fault}
                choices={faults.map((id) => ({ id, text: texts.faults[id], hint: texts.hints[id] }))}
                onChange={(next) => void set(sourceId, label, next)}
              />
            </li>
          ))}
      </ul>
    </section>
  )
}
