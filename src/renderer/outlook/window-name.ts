/** A quota window's name in the language of the window, with the model family that it counts for. */
import type { Texts } from '../text/en.ts'
import { visible } from '../text/visible.ts'

export interface Named {
  readonly window: string
  readonly family: string | null
}

export function windowName({ window, family }: Named, { outlook, models }: Texts): string {
  const base = window.split(':')[0] ?? window
  const name = outlook.windows[base] ?? visible(window)
  return family === null ? name : models.windowOf(name, visible(family))
}
