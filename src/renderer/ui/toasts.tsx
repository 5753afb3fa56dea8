/** The notices at the foot of the window; hovering or focusing one stops its clock. */
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { dismiss, hold, release, runExtra, type Toast, undo, useToasts } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { announce } from './announce.ts'
import { Button, IconButton } from './button.tsx'
import '../styles/toasts.css'

export function Toasts() {
  const { ui } = useTexts()
  const { toasts } = useToasts()
  return (
    <section className="toasts" aria-label={ui.notices} aria-live="polite">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  const { ui } = useTexts()
  const { id, text } = toast
  const line = useRef<HTMLDivElement>(null)
  // What had the focus is gone with the thing that was deleted: the way back is the next useful place.
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.querySelector('button')?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only stops the clock; the buttons inside do the rest
    <div
      ref={line}
      className="toast"
      onPointerEnter={() => hold(id)}
      onPointerLeave={() => release(id)}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) hold(id)
      }}
      onBlur={() => release(id)}
    >
      <span className="toast-text">{visible(text)}</span>
      {toast.undo !== null && (
        <Button
          kind="quiet"
          onPress={() => {
            undo(id)
            announce(ui.undone)
          }}
        >
          {ui.undo}
        </Button>
      )}
      {toast.extra !== null && (
        <Button kind="quiet" onPress={() => runExtra(id)}>
          {toast.extra.text}
        </Button>
      )}
      <IconButton label={ui.close} onPress={() => dismiss(id)}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
