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
export const useTab = create<Shown>()(() => shownIn(fromAddress(null)))

export interface Shown {
  readonly tab: string | null
  /** What is open in it: the id of a call. */
  readonly place: string | null
}

function shownIn(address: string | null): Shown {
  const [tab = '', place = ''] = (address ?? '').split('/', 2)
  return { tab: tab || null, place: place || null }
}

export function showTab(tab: string): void {
  if (tab === useTab.getState().tab) return
  history.pushState(null, '', `#${tab}`)
  useTab.setState({ tab, place: null })
}

/** So that a reload or a copied address opens it again; no step of its own for the back button. */
export function showPlace(tab: string, place: string | null): void {
  if (useTab.getState().tab !== tab) return
  history.replaceState(null, '', place === null ? `#${tab}` : `#${tab}/${place}`)
  useTab.setState({ tab, place })
}

addEventListener('popstate', () => useTab.setState(shownIn(fromAddress(useTab.getState().tab))))
