/** Says something to screen readers without moving the focus; the region itself is in the app's frame. */
import { create } from 'zustand'
import { visible } from '../text/visible.ts'

export const useAnnouncement = create<{ readonly text: string; readonly turn: number }>()(() => ({ text: '', turn: 0 }))

/** `turn` makes the same sentence heard again. */
export const announce = (text: string): void =>
  useAnnouncement.setState(({ turn }) => ({ text: visible(text), turn: turn + 1 }))
