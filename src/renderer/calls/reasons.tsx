/** The decision in full: the seats as the strategy saw them, and the steps that led to the answer. */
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Folded } from '../ui/folded.tsx'
import { useCallFormat } from './call-format.ts'
import type { Decision } from './call-types.ts'

export function Seats({ decision: { seats } }: { readonly decision: Decision }) {
  const { calls: texts, said, ui } = useTexts()
  const format = useFormat()
  if (seats.length === 0) return null
  const { seat } = texts
  return (
    <Folded title={texts.seats}>
      <Table
        name={texts.seats}
        heads={[seat.place, seat.account, seat.tier, seat.used, seat.weight, seat.pace, seat.state]}
        rows={seats.map(({ position, label, tier, usedPercent, usable, because, numbers }) => [
          format.number(position + 1),
          visible(label),
          format.number(tier + 1),
          usedPercent === null ? ui.missing : `${format.number(Math.round(usedPercent))} %`,
          numbers == null ? ui.missing : format.number(numbers.weight),
          numbers == null ? ui.missing : format.number(Math.round(numbers.pace * 100) / 100),
          [usable ? texts.usable : null, said.code(because)].filter((part) => part !== null).join(' · '),
        ])}
      />
    </Folded>
  )
}

/** These stages decide on an account, whose name is nobody's to translate. */
const isName = ({ stage, decision }: Decision['trail'][number]): boolean =>
  ['session', 'order', 'attempt'].includes(stage) && decision !== 'none'

export function Trail({ decision: { trail } }: { readonly decision: Decision }) {
  const { calls: texts, said } = useTexts()
  const format = useCallFormat()
  if (trail.length === 0) return null
  const { stage, decision, because, after } = texts.trailColumns
  return (
    <Folded title={texts.trail}>
      <Table
        name={texts.trail}
        heads={[stage, decision, because, after]}
        rows={trail.map((step) => [
          said.code(step.stage),
          visible(isName(step) ? step.decision : said.code(step.decision)),
          visible(said.code(step.because)),
          format.took(step.elapsedMs),
        ])}
      />
    </Folded>
  )
}

interface TableProps {
  readonly name: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function Table({ name, heads, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keyboard too
    <section className="table-box" aria-label={name} tabIndex={0}>
      <table className="table" aria-label={name}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
