/** Finds compressed streams inside bytes and unpacks them, whatever surrounds them: a secret may lie packed in a file. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  type InputType,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'

export const packings = ['gzip', 'zlib', 'zstd', 'brotli', 'raw deflate'] as const
export type Packing = (typeof packings)[number]

/** More than any of our files holds, less than a bomb. */
const mostBytes = 64 * 1024 * 1024
/** A stream that is shorter unpacked than this holds no secret. */
const leastBytes = 12

/** Cut streams are unpacked as far as they go: a file may have been read while it was written. */
const cut = { maxOutputLength: mostBytes, finishFlush: constants.Z_SYNC_FLUSH } as const
const unpack: Readonly<Record<Packing, (bytes: InputType) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, cut),
  zlib: (bytes) => inflateSync(bytes, cut),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: mostBytes }),
  brotli: (bytes) =>
    brotliDecompressSync(bytes, { maxOutputLength: mostBytes, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  'raw deflate': (bytes) => inflateRawSync(bytes, cut),
}

/** How a stream of each kind begins; brotli and raw deflate have no beginning of their own, they are tried on the whole. */
const beginnings: readonly (readonly [Packing, Buffer])[] = [
  ['gzip', Buffer.from([0x1f, 0x8b, 0x08])],
  ['zlib', Buffer.from([0x78, 0x01])],
  ['zlib', Buffer.from([0x78, 0x5e])],
  ['zlib', Buffer.from([0x78, 0x9c])],
  ['zlib', Buffer.from([0x78, 0xda])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
]

export interface Unpacked {
  readonly packing: Packing
  readonly bytes: Buffer
}

/** Every stream that can be unpacked, in the order of its place. */
export function unpacked(bytes: Buffer): readonly Unpacked[] {
  const found: Unpacked[] = []
  const take = (packing: Packing, from: Buffer): void => {
    try {
      const inner = unpack[packing](from)
      if (inner.length >= leastBytes) found.push({ packing, bytes: inner })
    } catch {
      // It only looked like one.
    }
  }
  for (const [packing, beginning] of beginnings) {
    for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1))
      take(packing, bytes.subarray(at))
  }
  take('brotli', bytes)
  take('raw deflate', bytes)
  return found
}
