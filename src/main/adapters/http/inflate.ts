/** Decodes copies of encoded bodies with Node's zlib; bounded in size and ratio (routing §2, T6.2). */

import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { Body, DecodeProblem, Inflate, InflateWatch } from '../../ports.ts'

function decoder(encoding: string): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return null
  }
}

const watchLimitBytes = 64 * 1024 * 1024
const highestRatio = 200
const ratioFloorBytes = 1024 * 1024

export const inflate: Inflate = {
  decode(body: Body, encoding: string, limit: number): Promise<Body | DecodeProblem> {
    const stream = decoder(encoding)
    if (stream === null) return Promise.resolve('unknown-encoding')
    return new Promise((resolve) => {
      const pieces: Uint8Array[] = []
      let length = 0
      stream.on('data', (piece: Uint8Array) => {
        length += piece.length
        if (length > limit) {
          stream.destroy()
          resolve('too-large')
          return
        }
        pieces.push(piece)
      })
      stream.once('error', () => resolve('corrupt'))
      stream.once('end', () => resolve({ pieces, length }))
      for (const piece of body.pieces) stream.write(piece)
      stream.end()
    })
  },

  watch(encoding: string, onPlain: (bytes: Uint8Array) => void): InflateWatch | null {
    const stream = decoder(encoding)
    if (stream === null) return null
    let given = 0
    let made = 0
    let failed = false
    const ended = new Promise<'whole' | 'broken' | 'given-up'>((resolve) => {
      const fail = (how: 'broken' | 'given-up'): void => {
        failed = true
        stream.destroy()
        resolve(how)
      }
      stream.on('data', (piece: Uint8Array) => {
        made += piece.length
        if (made > watchLimitBytes || (made > ratioFloorBytes && made > given * highestRatio)) fail('given-up')
        else onPlain(piece)
      })
      stream.once('error', () => fail('broken'))
      stream.once('end', () => resolve('whole'))
    })
    return {
      push(bytes) {
        given += bytes.length
        if (!failed) stream.write(bytes)
      },
      end() {
        if (!failed) stream.end()
        return ended
      },
    }
  },
}
