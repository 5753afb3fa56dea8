/** Links that lead out of the window: https alone, and only after the person has seen where it leads (threats T4.2). */
import { shell } from 'electron'
import { externalAddress } from './external-address.ts'

/** Shows the address and waits for the person's decision. */
export type AskToOpen = (host: string, address: string) => Promise<boolean>

/** The only caller of the system's opener. */
export async function openLink(text: string, ask: AskToOpen): Promise<void> {
  const address = externalAddress(text)
  if (address === null) return
  if (await ask(new URL(address).host, address)) await shell.openExternal(address)
}
