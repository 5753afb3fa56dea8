/** What the keys of the grid do. */
import type { Column } from './call-row.tsx'
import type { Order } from './call-types.ts'

/** The row that a key leads to; null for a key that leads nowhere. */
export function nextPlace(key: string, active: number, count: number, page: number): number | null {
  const within = (place: number): number => Math.max(0, Math.min(count - 1, place))
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return within(active + 1)
    case 'ArrowUp':
      return within(active - 1)
    case 'PageDown':
      return within(active + page)
    case 'PageUp':
      return within(active - page)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Only time can be sorted by. */
export const columnsWithOrder = (column: Column, order: Order): 'ascending' | 'descending' | undefined =>
  column !== 'time' ? undefined : order === 'newest' ? 'descending' : 'ascending'
