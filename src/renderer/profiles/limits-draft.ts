/** A key's name and limits while they are being written, and how they become the contract's input; pure. */
import type { AccessKey } from '../state/sources.ts'

export type Operation = NonNullable<AccessKey['operations']>[number]
export const operations: readonly Operation[] = ['generate', 'count', 'compact', 'list']

/** A list that is limited; `all` lets everything through, whatever stands in it. */
export interface Limited<Id extends string = string> {
  readonly all: boolean
  readonly some: readonly Id[]
}

export interface LimitsDraft {
  readonly label: string
  /** `2026-12-31` or `2026-12-31 18:00`, in local time; empty: never. */
  readonly expires: string
  /** Empty: no cap. */
  readonly concurrency: string
  readonly providers: Limited
  /** One a line. */
  readonly models: Limited & { readonly text: string }
  readonly operations: Limited<Operation>
  /** Comma between them. */
  readonly serviceTiers: Limited & { readonly text: string }
}

const limited = <Id extends string>(list: readonly Id[] | null): Limited<Id> => ({
  all: list === null,
  some: list ?? [],
})

type Limits = Pick<
  AccessKey,
  'label' | 'expiresAtMs' | 'concurrency' | 'providers' | 'models' | 'operations' | 'serviceTiers'
>

export function limitsDraft(key: Limits): LimitsDraft {
  const { label, expiresAtMs, concurrency, providers, models, serviceTiers } = key
  return {
    label,
    expires: expiresAtMs === null ? '' : localText(expiresAtMs),
    concurrency: concurrency === null ? '' : String(concurrency),
    providers: limited(providers),
    models: { ...limited(models), text: (models ?? []).join('\n') },
    operations: limited(key.operations),
    serviceTiers: { ...limited(serviceTiers), text: (serviceTiers ?? []).join(', ') },
  }
}

/** Of a key that isn't made yet. */
export const freshLimits = limitsDraft({
  ...{ label: '', expiresAtMs: null, concurrency: null },
  ...{ providers: null, models: null, operations: null, serviceTiers: null },
})

const partsOf = (text: string, gap: RegExp): string[] => [
  ...new Set(
    text
      .split(gap)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

/** As the contract takes it; null while a part of it can't be read. */
export function writtenLimits(draft: LimitsDraft) {
  const expiresAtMs = readExpiry(draft.expires)
  const concurrency = readCap(draft.concurrency)
  const label = draft.label.trim()
  const { providers, models, serviceTiers } = draft
  const lists = {
    providers: providers.all ? null : [...providers.some],
    models: models.all ? null : partsOf(models.text, /\n/),
    operations: draft.operations.all ? null : [...draft.operations.some],
    serviceTiers: serviceTiers.all ? null : partsOf(serviceTiers.text, /[,\n]/),
  }
  // A key that may ask nothing is better disabled.
  const isEmpty = Object.values(lists).some((list) => list?.length === 0)
  if (label === '' || isEmpty || expiresAtMs === undefined || concurrency === undefined) return null
  return { label, expiresAtMs, concurrency, ...lists }
}

/** Null: none; undefined: not to be read. */
export function readCap(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  const value = Number(plain)
  return /^\d{1,4}$/.test(plain) && value >= 1 && value <= 1_000 ? value : undefined
}

/** Local midnight when no time is given; null: never; undefined: not to be read, or no such day. */
export function readExpiry(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?$/.exec(plain)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const at = new Date(year, month - 1, day, hour, minute)
  const isSuch = at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60
  return isSuch ? at.getTime() : undefined
}

const two = (value: number): string => String(value).padStart(2, '0')

export function localText(atMs: number): string {
  const at = new Date(atMs)
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
  return isMidnight ? date : `${date} ${two(at.getHours())}:${two(at.getMinutes())}`
}
