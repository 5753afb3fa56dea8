/**
 * Links that lead out of the window: https alone, and only after the person has seen where it leads (threats T4.2). The
 * only caller of the system's opener.
 */
import { shell } from 'electron'
import { externalAddress } from './external-address.ts'

/** Shows the address and waits for the person's decision. */
export type AskToOpen = (host: string, address: string) => Promise<boolean>

export async function openLink(text: string, ask: AskToOpen): Promise<void> {
  const address = externalAddress(text)
  if (address === null) return
  if (await ask(new URL(address).host, address)) await shell.openExternal(address)
}

const signInHosts: ReadonlySet<string> = new Set(['auth.openai.com'])

/** A sign-in page that the person has just asked for; the vendor's own host alone needs no second question. */
export async function openSignInPage(text: string): Promise<void> {
  const address = externalAddress(text)
  if (address !== null && signInHosts.has(new URL(address).host)) await shell.openExternal(address)
}
