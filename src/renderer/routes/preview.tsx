/** What a rule would change, asked of the router's own code: who serves a new conversation before and after. */
import { type Client, client } from '../bridge/client.ts'
import { useAsked } from '../state/asked.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ProblemNotice } from '../ui/notice.tsx'
import { type Draft, written } from './routes.ts'

type Answer = Awaited<ReturnType<Client['models']['previewRoute']>>
type Side = Answer['before']

export interface PreviewProps {
  readonly draft: Draft
  readonly nameOf: (backendId: string) => string
}

export function Preview({ draft, nameOf }: PreviewProps) {
  const { routes: texts } = useTexts()
  const isAskable = draft.matchModel.trim() !== '' && draft.tiers.flat().length > 0
  const { answer, problem } = useAsked(isAskable ? written(draft) : null, (asked, signal) =>
    client.models.previewRoute(asked, { signal }),
  )
  return (
    <section className="preview" aria-label={texts.preview}>
      <h3 className="preview-heading">{texts.preview}</h3>
      {problem === null && answer === null && <p className="field-hint">{texts.previewEmpty}</p>}
      <ProblemNotice problem={problem} />
      {answer !== null && (
        <div className="preview-sides" aria-live="polite">
          <PreviewSide title={texts.before} side={answer.before} nameOf={nameOf} />
          <PreviewSide title={texts.after} side={answer.after} nameOf={nameOf} />
        </div>
      )}
    </section>
  )
}

interface PreviewSideProps {
  readonly title: string
  readonly side: Side
  readonly nameOf: (backendId: string) => string
}

function PreviewSide({ title, side, nameOf }: PreviewSideProps) {
  const { routes: texts, models, said } = useTexts()
  const { order, excluded, sentence } = side
  const why = (because: string): string => models.reasons[because] ?? texts.because(said.code(because))
  return (
    <div className="preview-side">
      <h4 className="preview-title">{title}</h4>
      {order.length === 0 && <p className="preview-nobody">{visible(said.sentence(sentence))}</p>}
      <ol className="preview-order">
        {order.map(({ backendId, because }, at) => (
          <li key={backendId}>
            <bdi>{visible(nameOf(backendId))}</bdi>
            <span className="preview-why">
              {at === 0 ? models.badges.now : because === 'ready' ? models.badges.ready : why(because)}
            </span>
          </li>
        ))}
      </ol>
      {excluded.length > 0 && (
        <ul className="preview-order">
          {excluded.map(({ backendId, because }) => (
            <li key={backendId} className="is-skipped">
              <bdi>{visible(nameOf(backendId))}</bdi>
              <span className="preview-why">{why(because)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
