/** A text whose parts in backticks are shown as code. */
import { Fragment } from 'react'
import { visible } from '../text/visible.ts'

export function Words({ text }: { readonly text: string }) {
  return visible(text)
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>))
}
