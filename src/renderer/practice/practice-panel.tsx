/** Practice mode's panel: a fault for each source, so that a newcomer sees failover happen and explained. */
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { mirror, useMirror } from '../state/mirror.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { announce } from '../ui/announce.ts'
import { Select } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { StateShape } from '../ui/state-mark.tsx'
import '../styles/practice.css'

const practiceMirror = mirror(['accounts', 'models', 'quota'], () => client.practice.state({}))

type Fault = Awaited<ReturnType<typeof client.practice.state>>['sources'][number]['fault']
const faults: readonly Fault[] = ['none', 'exhaust', 'overload', 'cut', 'revoke', 'slow']

export function PracticePanel() {
  const { practice: texts, ui } = useTexts()
  const { value } = useMirror(practiceMirror)
  if (value === null || !value.on) return null
  const set = async (sourceId: string, label: string, fault: Fault) => {
    practiceMirror.foresee((state) => ({
      ...state,
      sources: state.sources.map((source) => (source.sourceId === sourceId ? { ...source, fault } : source)),
    }))
    try {
      await client.practice.fault({ sourceId, fault })
      announce(texts.set(label, texts.faults[fault]))
    } catch (cause) {
      toast(problemOf(cause).sentence || ui.unreachable)
    }
    await practiceMirror.refresh()
  }
  return (
    <Section title={texts.title}>
      <div className="practice">
        <p className="practice-text">{texts.text}</p>
        <ul className="practice-list">
          {value.sources.map(({ sourceId, label, fault }) => (
            <li key={sourceId} className="practice-row">
              <StateShape tone={fault === 'none' ? 'good' : fault === 'slow' ? 'warn' : 'bad'} />
              <span className="practice-name">{label}</span>
              <Select
                label={texts.fault(label)}
                isBare
                value={fault}
                choices={faults.map((id) => ({ id, text: texts.faults[id], hint: texts.hints[id] }))}
                onChange={(next) => void set(sourceId, label, next)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}
