/** A state as shape, colour and word, so that none of the three has to carry it alone. */
import '../styles/state-mark.css'

/** Railway signals: go, caution, stop, and dark for what takes no part. */
export type Tone = 'good' | 'warn' | 'bad' | 'off'

export function StateMark({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  return (
    <span className={`state-mark tone-${tone}`}>
      <StateShape tone={tone} />
      {word}
    </span>
  )
}

/** The shape alone, beside a word that stands elsewhere. */
export function StateShape({ tone }: { readonly tone: Tone }) {
  return (
    <svg className={`state-shape tone-${tone}`} viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
      {tone === 'good' && <circle cx="5" cy="5" r="4.5" />}
      {tone === 'warn' && <path d="M5 .6 9.8 9.4H.2Z" />}
      {tone === 'bad' && <rect x=".8" y=".8" width="8.4" height="8.4" rx="1" />}
      {tone === 'off' && <circle cx="5" cy="5" r="3.6" className="state-ring" />}
    </svg>
  )
}
