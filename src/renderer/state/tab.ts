/** Which tab is shown; in the address, so that a reload and the back button know it. */
import { create } from 'zustand'
import { beginErrand, errandIn } from './errand.ts'

/** An errand is taken out of the address, or a reload would begin it anew. */
function fromAddress(shown: string | null): string | null {
  const fragment = location.hash.slice(1)
  const errand = errandIn(fragment)
  if (errand === null) return fragment || null
  const tab = errand.kind === 'settings' ? shown : 'profiles'
  history.replaceState(null, '', tab === null ? location.pathname : `#${tab}`)
  beginErrand(errand)
  return tab
}

/** Null until somebody chose one: the app then picks. */
export const useTab = create<{ readonly tab: string | null }>()(() => ({ tab: fromAddress(null) }))

export function showTab(tab: string): void {
  if (tab !== location.hash.slice(1)) history.pushState(null, '', `#${tab}`)
  useTab.setState({ tab })
}

addEventListener('popstate', () => useTab.setState({ tab: fromAddress(useTab.getState().tab) }))
