/** One titled group of settings. */
import type { ReactNode } from 'react'

export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="settings-group">
      <h3 className="settings-title">{title}</h3>
      <div className="settings-fields">{children}</div>
    </section>
  )
}
