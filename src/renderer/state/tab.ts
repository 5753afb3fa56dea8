/** Which tab is shown; in the address, so that a reload and the back button know it. */
import { create } from 'zustand'

const fromAddress = (): string | null => location.hash.slice(1) || null

/** Null until somebody chose one: the app then picks. */
export const useTab = create<{ readonly tab: string | null }>()(() => ({ tab: fromAddress() }))

export function showTab(tab: string): void {
  if (tab !== fromAddress()) history.pushState(null, '', `#${tab}`)
  useTab.setState({ tab })
}

addEventListener('popstate', () => useTab.setState({ tab: fromAddress() }))
