/** What the tray or a notification asks the window to show; it comes in the address and is done once (`#sign-in/ID`). */
import { create } from 'zustand'

export type Errand =
  | { readonly kind: 'settings' }
  | { readonly kind: 'add-account'; readonly provider: 'claude' | 'codex' }
  | { readonly kind: 'sign-in'; readonly sourceId: string }

export const useErrand = create<{ readonly errand: Errand | null }>()(() => ({ errand: null }))

export const beginErrand = (errand: Errand): void => useErrand.setState({ errand })
/** By the part that has taken it up. */
export const endErrand = (): void => useErrand.setState({ errand: null })

/** Null for an ordinary fragment, which names a tab. */
export function errandIn(fragment: string): Errand | null {
  const [kind, subject = ''] = fragment.split('/', 2)
  if (kind === 'settings') return { kind }
  if (kind === 'add-account' && (subject === 'claude' || subject === 'codex')) return { kind, provider: subject }
  if (kind === 'sign-in' && subject !== '') return { kind, sourceId: decoded(subject) }
  return null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
