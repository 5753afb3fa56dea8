/** A plain table: heads, rows of text or small parts; numbers stand at the right. It scrolls by itself when narrow. */
import type { ReactNode } from 'react'
import '../styles/data-table.css'

export interface Column {
  readonly head: string
  readonly isNumber?: boolean
  /** The head is read but not shown. */
  readonly isBare?: boolean
}

export interface DataRow {
  readonly key: string
  readonly cells: readonly ReactNode[]
}

export interface DataTableProps {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly DataRow[]
}

export function DataTable({ name, columns, rows }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="data-table-box" aria-label={name} tabIndex={0}>
      <table className="data-table" aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ head, isNumber = false, isBare = false }) => (
              <th key={head} scope="col" className={isNumber ? 'is-number' : ''}>
                <span className={isBare ? 'visually-hidden' : ''}>{head}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={columns[at]?.head} className={columns[at]?.isNumber === true ? 'is-number' : ''}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
