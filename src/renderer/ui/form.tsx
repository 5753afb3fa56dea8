/** A form in a dialog: fields, and its buttons at the foot; Enter submits. */
import { type ReactNode, useRef } from 'react'
import '../styles/form.css'

export interface FormProps {
  readonly onSubmit: () => Promise<void>
  readonly foot: ReactNode
  readonly children: ReactNode
}

export function Form({ onSubmit, foot, children }: FormProps) {
  const isBusy = useRef(false)
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A second press while the first is under way would do it twice.
        if (isBusy.current) return
        isBusy.current = true
        void onSubmit().finally(() => {
          isBusy.current = false
        })
      }}
    >
      <div className="form-fields">{children}</div>
      <div className="form-foot">{foot}</div>
    </form>
  )
}
