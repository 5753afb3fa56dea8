/** What WebSocket needs from the world: connections of frames, and the two ways to get one. */
import type { SourceId } from '../shared/ids.ts'
import type { Exchange, UpstreamFailure, UpstreamRequest } from './ports.ts'

/** An open WebSocket, from either end. */
export interface FrameSocket {
  /** Sends one text frame; false when the other end is slow: the observer's `drained` is called once it has caught up. */
  send(text: Uint8Array): boolean
  /** Stops reading, so that the other end has to wait. */
  pause(): void
  resume(): void
  /** Says goodbye with a close frame; nothing can be sent after it. */
  close(code: number, reason: string): void
  /** Ends the connection at once. */
  cut(): void
}

export interface FrameObserver {
  /** One whole text frame. A binary one ends the connection with 1003 (codex §2.5). */
  text(bytes: Uint8Array): void
  drained(): void
  /** Once, and last; 1006 when no close frame came. */
  closed(code: number): void
}

/** A client's wish to turn its connection into a WebSocket: answered like any request, or accepted. */
export interface Upgrade {
  readonly exchange: Exchange
  /** True when the request announces a body, which an upgrade has not. */
  readonly hasBody: boolean
  /** Counts a frame among the bodies held at once; false: no room now (F48). */
  takeRoom(bytes: number): boolean
  giveRoomBack(bytes: number): void
  /** Shakes hands; a larger frame than `limitBytes` ends the connection with 1009. Not called when the handshake is malformed. */
  accept(limitBytes: number, observe: (socket: FrameSocket) => FrameObserver): void
}

export interface DialRequest extends Pick<UpstreamRequest, 'origin' | 'path' | 'headers' | 'proxy'> {
  readonly limitBytes: number
  /** Offers the vendor to compress frames (`permessage-deflate`). */
  readonly compress: boolean
}

/** One of `opened`, `refused` and `failed` comes first, once; after `opened` what a `FrameObserver` hears. */
export interface DialObserver extends FrameObserver {
  /** Headers of the handshake's answer as a flat name-value list. */
  opened(socket: FrameSocket, headers: readonly string[]): void
  /** Another answer than 101; the body is cut at 64 KiB. */
  refused(status: number, headers: readonly string[], body: Uint8Array): void
  failed(failure: UpstreamFailure): void
}

export interface Dialer {
  /** Whether a WebSocket can be opened there at all: not on an unknown host, nor through a proxy of another kind. */
  reaches(origin: string, proxy: string | null): boolean
  /** Returns how to give up; then the observer hears nothing more. */
  dial(request: DialRequest, observer: DialObserver): () => void
}

/** A request that can also go out as a frame of the account's own WebSocket. */
export interface SocketRequest extends UpstreamRequest {
  readonly socket: SocketAsk
}

export interface SocketAsk {
  /** Whose connection: never shared between sources. */
  readonly sourceId: SourceId
  /** It builds on an earlier answer, so that only the connection which that came over will do. */
  readonly isAnchored: boolean
  /** It only warms the model up, which HTTP has no word for. */
  readonly isPrewarm: boolean
}
