/** The window's own address, and what counts as one; pure, since every guard rests on it. */

export const scheme = 'app'
const host = 'pointsman'
export const pageAddress = `${scheme}://${host}/`

/** Protocol and host are compared apart: the origin of a scheme of our own reads `null` in Node (stack-notes §3). */
export function isOurs(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host: found, username, password } = new URL(address)
  return protocol === `${scheme}:` && found === host && username === '' && password === ''
}

/** The page itself, whatever its fragment: where a reload leads. */
export const isOurPage = (address: string): boolean => isOurs(address) && /^[^?#]*\/\/[^/?#]*\/(#|$)/.test(address)

/** What the page is asked to show when it is opened from the tray or a notification. */
export type Errand =
  | { readonly kind: 'settings' }
  | { readonly kind: 'profiles' }
  | { readonly kind: 'add-account'; readonly provider: 'claude' | 'codex' }
  | { readonly kind: 'sign-in'; readonly sourceId: string }

/** The errand in the fragment, which the page reads and then clears. */
export function addressOf(errand: Errand): string {
  switch (errand.kind) {
    case 'settings':
    case 'profiles':
      return `${pageAddress}#${errand.kind}`
    case 'add-account':
      return `${pageAddress}#add-account/${errand.provider}`
    case 'sign-in':
      return `${pageAddress}#sign-in/${encodeURIComponent(errand.sourceId)}`
  }
}
