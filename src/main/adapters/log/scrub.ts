/** The last line of defence: takes what looks like a secret out of a text that is about to be written. */
const secrets = [
  /pk_[A-Za-z0-9_-]{20,}/g,
  /sk-[A-Za-z0-9_-]{12,}/g,
  /rt_[A-Za-z0-9_.-]{8,}/g,
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /Bearer\s+[^\s"',]+/gi,
  /\/k\/[^/\s"]+/g,
]

/** The patterns take their time over long texts, and nobody reads one in a log. */
const mostCharacters = 8_192

export function scrub(text: string): string {
  let clean = shortened(text)
  for (const pattern of secrets) clean = clean.replace(pattern, '[secret]')
  return clean
}

/** Cut between two words: half a secret would no longer be known as one. */
function shortened(text: string): string {
  if (text.length <= mostCharacters) return text
  const end = Math.max(text.lastIndexOf(' ', mostCharacters), text.lastIndexOf('\n', mostCharacters), 0)
  return `${text.slice(0, end)} …`
}
