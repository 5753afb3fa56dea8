/** Which text may be handed to the system's opener at all; pure (threats T4.2). */

const longest = 2_000
/** Letters that a parser drops or turns, so that what is checked is not what is opened. */
const misleading = /[\s\\\p{C}]/u
const dottedName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** The address in its normal form, or null: anything but plain https to a named host is refused. */
export function externalAddress(text: string): string | null {
  if (text.length > longest || misleading.test(text) || !/^https:\/\/[^/]/i.test(text)) return null
  if (!URL.canParse(text)) return null
  const { protocol, username, password, hostname, port, href } = new URL(text)
  const isPlain = protocol === 'https:' && username === '' && password === '' && port === ''
  return isPlain && dottedName.test(hostname) ? href : null
}
