/** The notices at the foot of the window; hovering or focusing one stops its clock. */
import { X } from 'lucide-react'
import { dismiss, hold, release, type Toast, undo, useToasts } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
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
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only stops the clock; the buttons inside do the rest
    <div
      className="toast"
      onPointerEnter={() => hold(id)}
      onPointerLeave={() => release(id)}
      onFocus={() => hold(id)}
      onBlur={() => release(id)}
    >
      <span className="toast-text">{text}</span>
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
      <IconButton label={ui.close} onPress={() => dismiss(id)}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
