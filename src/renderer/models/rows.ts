/** A pool's tiers as the flat list of rows that is dragged, and back; pure. Dividers are rows too. */

/** Backend ids, in order, tier by tier. */
export type Tiers = readonly (readonly string[])[]

/** A backend's id, or a divider. An id has a colon, a divider has none. */
export type RowKey = string

export const dividerKey = (tier: number): RowKey => `divider ${tier}`
export const isDivider = (key: RowKey): boolean => /^divider \d+$/.test(key)

/** A divider stands above every tier but the first. */
export function rowsOf(tiers: Tiers): readonly RowKey[] {
  return tiers
    .filter((tier) => tier.length > 0)
    .flatMap((tier, index) => (index === 0 ? tier : [dividerKey(index), ...tier]))
}

/** Tiers without a backend vanish: a divider at an end or beside another one means nothing. */
export function tiersOf(rows: readonly RowKey[]): Tiers {
  const tiers: string[][] = [[]]
  for (const key of rows) {
    if (isDivider(key)) tiers.push([])
    else tiers.at(-1)?.push(key)
  }
  return tiers.filter((tier) => tier.length > 0)
}

/** Takes rows out and puts them, in their order, before or after `target`, which may be one of them. */
export function moved(
  rows: readonly RowKey[],
  keys: ReadonlySet<RowKey>,
  target: RowKey,
  side: 'before' | 'after',
): readonly RowKey[] {
  const at = rows.indexOf(target)
  if (at < 0) return rows
  const stays = (key: RowKey): boolean => !keys.has(key)
  const above = rows.slice(0, side === 'before' ? at : at + 1).filter(stays)
  const below = rows.slice(side === 'before' ? at : at + 1).filter(stays)
  return [...above, ...rows.filter((key) => keys.has(key)), ...below]
}

export type Step = 'up' | 'down' | 'top' | 'bottom' | 'tier-above' | 'tier-below' | 'new-tier' | 'remove-divider'

/** The tiers after one step of a row; null when it would change nothing. */
export function stepped(tiers: Tiers, key: RowKey, step: Step): Tiers | null {
  const rows = rowsOf(tiers)
  const at = rows.indexOf(key)
  if (at < 0) return null
  const next = tiersOf(rowsAfter(rows, at, key, step))
  return isSame(next, tiers) ? null : next
}

function rowsAfter(rows: readonly RowKey[], at: number, key: RowKey, step: Step): readonly RowKey[] {
  const others = rows.filter((row) => row !== key)
  const put = (index: number): readonly RowKey[] => [...others.slice(0, index), key, ...others.slice(index)]
  switch (step) {
    case 'up':
      return at === 0 ? rows : put(at - 1)
    case 'down':
      return put(at + 1)
    case 'top':
      return put(0)
    case 'bottom':
      return put(others.length)
    case 'tier-above': {
      const divider = others.slice(0, at).findLastIndex(isDivider)
      return divider < 0 ? rows : put(divider)
    }
    case 'tier-below': {
      const divider = others.findIndex((row, index) => index >= at && isDivider(row))
      return divider < 0 ? [...others, dividerKey(0), key] : put(divider + 1)
    }
    case 'new-tier':
      return [...rows.slice(0, at), dividerKey(0), ...rows.slice(at)]
    case 'remove-divider':
      return others
  }
}

export const isSame = (one: Tiers, other: Tiers): boolean => rowsOf(one).join('\n') === rowsOf(other).join('\n')

/** Where a backend stands, counted from 1 without dividers. */
export function placeOf(tiers: Tiers, id: string): { readonly place: number; readonly total: number } {
  const all = tiers.flat()
  return { place: all.indexOf(id) + 1, total: all.length }
}

/** The first rows, up to `most` backends; a divider never ends them. */
export function firstRows(rows: readonly RowKey[], most: number): readonly RowKey[] {
  let left = most
  const cut = rows.findIndex((key) => !isDivider(key) && --left < 0)
  if (cut < 0) return rows
  return rows.slice(0, isDivider(rows[cut - 1] ?? '') ? cut - 1 : cut)
}
