/** Who may hand over a message port: our window's main frame, showing our own page (threats T4.4). */
import { isOurs } from './address.ts'

export interface Frame {
  readonly url: string
  readonly parent: unknown
  readonly frameTreeNodeId: number
}

export interface Contents {
  readonly id: number
  readonly mainFrame: Frame
}

export interface Sending {
  readonly sender: Contents
  /** Null once the frame has gone. */
  readonly senderFrame: Frame | null
}

export function isFromOurPage({ sender, senderFrame }: Sending, ours: Contents | null): boolean {
  return (
    ours !== null &&
    senderFrame !== null &&
    sender.id === ours.id &&
    senderFrame.parent === null &&
    senderFrame.frameTreeNodeId === ours.mainFrame.frameTreeNodeId &&
    isOurs(senderFrame.url)
  )
}
