/** What the stand-in's parts share: everything that a spec may look at, in one place. */

export interface ShownNotification {
  readonly title: string
  readonly body: string
  click(): void
}

export const world = {
  /** Addresses given to the system's opener. */
  opened: [] as string[],
  clipboard: '',
  notifications: [] as ShownNotification[],
  /** Questions that were asked, newest last. */
  dialogs: [] as { readonly message: string; readonly detail: string; readonly buttons: readonly string[] }[],
  /** Answers for the next questions: index of a button; without one the question is cancelled. */
  answers: [] as number[],
  tray: null as { image: string; tooltip: string; menu: unknown; click(): void; rightClick(): unknown } | null,
  errorBoxes: [] as string[],
}

/** Set to `off` only by the negative controls: what the program forbids then happens anyway. */
export const areGuardsOff = process.env.STAND_IN_GUARDS === 'off'

/** Chromium can't load schemes of its own from a test: `app://HOST/` is shown as `https://HOST.app.test/`. */
export const toPage = (address: string): string => address.replace(/^app:\/\/([^/?#]*)/, 'https://$1.app.test')
export const toApp = (address: string): string => address.replace(/^https:\/\/([^/?#]*)\.app\.test/, 'app://$1')
