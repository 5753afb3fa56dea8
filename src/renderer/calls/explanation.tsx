/** What opens below a row: who served the call and why, every attempt, and the whole decision. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of our own, since only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: of the grid, the row takes the focus
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { Attempts } from './attempts.tsx'
import { columns } from './call-row.tsx'
import type { CallDetail, CallRow } from './call-types.ts'
import { Facts } from './facts.tsx'
import type { Names } from './names.ts'
import { Seats, Trail } from './reasons.tsx'

export interface ExplanationProps {
  readonly id: string
  /** As the log shows it; its outcome says when to read it again. */
  readonly row: CallRow | undefined
  readonly names: Names
  readonly rowIndex: number
  readonly top: number
  readonly onHeight: (height: number) => void
}

export function Explanation({ id, row, names, rowIndex, top, onHeight }: ExplanationProps) {
  const box = useRef<HTMLDivElement>(null)
  const { detail, problem } = useDetail(id, row?.outcome)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => onHeight(element.offsetHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [onHeight])
  return (
    <div
      ref={box}
      role="row"
      aria-rowindex={rowIndex}
      className="explanation"
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" aria-colindex={1} aria-colspan={columns.length}>
        <ProblemNotice problem={problem} />
        {detail !== null && <Whole detail={detail} names={names} />}
      </div>
    </div>
  )
}

function Whole({ detail, names }: { readonly detail: CallDetail; readonly names: Names }) {
  const { calls: texts, said } = useTexts()
  const { call, executions, decision } = detail
  const labels = [
    ...executions.map(({ sourceLabel }) => sourceLabel),
    ...[...(decision?.seats ?? []), ...(decision?.excluded ?? [])].map(({ label }) => label),
  ]
  const link = new URL(`#calls/${call.id}`, location.href).href
  return (
    <>
      <div className="explanation-halves">
        <div className="explanation-story">
          {call.sentence !== '' && <Sentence text={said.sentence(call.sentence)} labels={labels} />}
          {call.outcome === null && <p className="explanation-note">{texts.stillRuns}</p>}
          {call.outcome !== null && decision === null && <p className="explanation-note">{texts.noDecision}</p>}
          <Attempts detail={detail} />
          {decision?.warnings.map((warning, index) => (
            <Notice key={index} tone="warn">
              {visible(said.sentence(warning))}
            </Notice>
          ))}
        </div>
        <Facts detail={detail} names={names} />
      </div>
      {decision !== null && (
        <div className="explanation-reasons">
          <Seats decision={decision} />
          <Trail decision={decision} />
        </div>
      )}
      <div className="explanation-foot">
        <CopyButton text={JSON.stringify(detail, null, 2)} label={texts.copyJson} word={texts.copyJson} />
        <CopyButton text={link} label={texts.copyLink} word={texts.copyLink} />
      </div>
    </>
  )
}

/** The names of accounts stand out. */
function Sentence({ text, labels }: { readonly text: string; readonly labels: readonly string[] }) {
  const names = [...new Set(labels)].filter((label) => label !== '').sort((a, b) => b.length - a.length)
  const parts: { readonly text: string; readonly isName: boolean }[] = []
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const name = names.find((label) => text.startsWith(label, at))
    if (name === undefined) {
      plain += text[at]
      at += 1
      continue
    }
    parts.push({ text: plain, isName: false }, { text: name, isName: true })
    plain = ''
    at += name.length
  }
  parts.push({ text: plain, isName: false })
  return (
    <p className="explanation-sentence">
      {parts.map((part, index) =>
        part.isName ? (
          <strong key={index}>
            <bdi>{visible(part.text)}</bdi>
          </strong>
        ) : (
          <span key={index}>{visible(part.text)}</span>
        ),
      )}
    </p>
  )
}

/** Read again when the row says that something has changed. */
function useDetail(id: string, outcome: string | null | undefined) {
  const [detail, setDetail] = useState<CallDetail | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another outcome is another reading
  useEffect(() => {
    const abort = new AbortController()
    client.calls
      .get({ id }, { signal: abort.signal })
      .then((found) => {
        setDetail(found)
        setProblem(null)
      })
      .catch((cause: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(cause))
      })
    return () => abort.abort()
  }, [id, outcome])
  return { detail: detail?.call.id === id ? detail : null, problem }
}
