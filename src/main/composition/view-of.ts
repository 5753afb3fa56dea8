/** The flow's picture of everything: made anew only when a part was swapped or the clock went on. */
import type { View } from '../flow/view.ts'

type Changing = 'nowMs' | 'settings' | 'picture' | 'health' | 'quota' | 'vaultOpen'

/** The parts that are swapped whole, read each time; the others are owners that stay. */
export type Parts = Omit<View, Changing | 'listedOnly'> & { readonly [Part in Changing]: () => View[Part] }

export function viewOf({ nowMs, settings, picture, health, quota, vaultOpen, ...owners }: Parts): () => View {
  const make = (): View => ({
    ...owners,
    nowMs: nowMs(),
    settings: settings(),
    picture: picture(),
    health: health(),
    quota: quota(),
    vaultOpen: vaultOpen(),
    listedOnly: settings().shadow,
  })
  let last = make()
  const isCurrent = (): boolean =>
    last.nowMs === nowMs() &&
    last.health === health() &&
    last.quota === quota() &&
    last.picture === picture() &&
    last.settings === settings() &&
    last.vaultOpen === vaultOpen()
  return () => {
    if (!isCurrent()) last = make()
    return last
  }
}
