/** Work on long bodies in stretches, between which everything else has its turn, so that no stream stalls meanwhile. */

/** Resolves once the rest of the program has had its turn. */
export type GiveWay = () => Promise<void>

/** Less than half a millisecond of looking through or copying. */
export const stretchBytes = 256 * 1024
const shortBytes = 64 * 1024

/** The same bytes as views of which none is long. */
export const shortPieces = (pieces: readonly Uint8Array[]): readonly Uint8Array[] =>
  pieces.flatMap((piece) =>
    piece.length <= shortBytes
      ? [piece]
      : Array.from({ length: Math.ceil(piece.length / shortBytes) }, (_, at) =>
          piece.subarray(at * shortBytes, (at + 1) * shortBytes),
        ),
  )

/** Takes the steps one by one, each of which says how many bytes it was, to their result. */
export async function inStretches<T>(steps: Iterator<number, T, undefined>, giveWay: GiveWay): Promise<T> {
  let done = 0
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    done += step.value
    if (done < stretchBytes) continue
    done = 0
    await giveWay()
  }
}
