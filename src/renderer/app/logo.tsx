/** The sign: a track that branches. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="M3.5 2v16M3.5 13c0-4.5 3.5-6.5 9-6.5" />
      <circle cx="15.2" cy="6.5" r="2.3" />
    </svg>
  )
}
