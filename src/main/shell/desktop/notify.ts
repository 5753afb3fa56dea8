/** Shows notifications, each event once; what is worth one is decided in `notices.ts`. */
import { Notification } from 'electron'
import type { Errand } from './address.ts'
import type { Notice } from './notices.ts'

/** Of events that were told, and of notifications that wait for a click. */
const mostKept = 200

export interface PlainNotice {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly errand: Errand | null
}

export class Notifier {
  readonly #onClick: (errand: Errand | null) => void
  readonly #told = new Set<string>()
  /** A notification that is collected as garbage forgets its click. */
  readonly #live = new Set<Notification>()

  constructor(onClick: (errand: Errand | null) => void) {
    this.#onClick = onClick
  }

  tell(notices: readonly (Notice | PlainNotice)[]): void {
    if (!Notification.isSupported()) return
    for (const notice of notices) {
      if (this.#told.has(notice.id)) continue
      // A sign-out may come again after the next sign-in; a window's event belongs to its reset.
      if (!('kind' in notice) || notice.kind !== 'sign-in') keep(this.#told, notice.id)
      this.#show(notice)
    }
  }

  close(): void {
    for (const notification of this.#live) notification.close()
    this.#live.clear()
  }

  #show({ title, body, errand }: Notice | PlainNotice): void {
    const notification = new Notification({ title, body })
    keep(this.#live, notification)
    notification.on('click', () => this.#onClick(errand))
    notification.on('close', () => this.#live.delete(notification))
    notification.show()
  }
}

function keep<Item>(items: Set<Item>, item: Item): void {
  items.add(item)
  if (items.size <= mostKept) return
  for (const oldest of items) {
    items.delete(oldest)
    return
  }
}
