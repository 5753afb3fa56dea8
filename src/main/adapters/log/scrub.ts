/** The last line of defence: takes what looks like a secret out of a text that is about to be written. */
const secrets = [
  /pk_[A-Za-z0-9_-]{20,}/g,
  /sk-[A-Za-z0-9_-]{12,}/g,
  /rt_[A-Za-z0-9_.-]{8,}/g,
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /Bearer\s+[^\s"',]+/gi,
  /\/k\/[^/\s"]+/g,
]

export function scrub(text: string): string {
  let clean = text
  for (const pattern of secrets) clean = clean.replace(pattern, '[secret]')
  return clean
}
