/** The token that opens the socket: handed over once in the page, then kept where no other port can read it. */

const key = 'pointsman.session-token'

export function sessionToken(): string {
  const fresh = document.querySelector<HTMLMetaElement>('meta[name="session-token"]')?.content ?? ''
  if (fresh !== '') localStorage.setItem(key, fresh)
  return localStorage.getItem(key) ?? ''
}
