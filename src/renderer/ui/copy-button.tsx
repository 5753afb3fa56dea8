/** Copies a text, and says so where it was pressed. */
import { useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useTexts } from '../text/texts.ts'
import { announce } from './announce.ts'
import '../styles/button.css'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers: `Copy address`. */
  readonly label: string
  readonly hasFocus?: boolean
  /** Instead of `Copy`, where that would not say enough. */
  readonly word?: string
}

const shownMs = 1_500

export function CopyButton({ text, label, hasFocus = false, word }: CopyButtonProps) {
  const { ui } = useTexts()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    announce(ui.copied)
  }
  return (
    <AriaButton className="button button-copy" aria-label={label} autoFocus={hasFocus} onPress={() => void copy()}>
      {/* Both words hold the place, so that nothing moves when one takes the other's. */}
      <span className={isCopied ? 'copy-word is-hidden' : 'copy-word'}>{word ?? ui.copy}</span>
      <span className={isCopied ? 'copy-word' : 'copy-word is-hidden'}>{ui.copied}</span>
    </AriaButton>
  )
}
