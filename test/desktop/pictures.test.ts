/** The generated pictures: every state and size there is, each state a shape of its own, never a colour alone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { trayStates } from '../../src/main/shell/desktop/tray-state.ts'

const resources = join(import.meta.dirname, '../../resources')
const read = (name: string): Buffer => readFileSync(join(resources, name))

/** Width and height as the PNG says. */
const sizeOf = (png: Buffer): readonly [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)]

/** Sizes in the directory of an icon container, each checked against the picture it points to. */
function icoSizes(ico: Buffer): readonly number[] {
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1])
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index
    const size = ico.readUInt8(at) || 256
    const [length, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)]
    const png = ico.subarray(offset, offset + length)
    expect([...sizeOf(png), png.readUInt32BE(12)]).toEqual([size, size, 0x49484452])
    return size
  })
}

/** Where a picture of 8-bit RGBA covers something, row by row. */
function coverage(png: Buffer): string {
  const [width, height] = sizeOf(png)
  expect([png.readUInt8(24), png.readUInt8(25)]).toEqual([8, 6])
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * 4
  let previous: Buffer = Buffer.alloc(stride)
  const rows: string[] = []
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1)
    const row = unfiltered(raw.readUInt8(start), raw.subarray(start + 1, start + 1 + stride), previous)
    rows.push(Array.from({ length: width }, (_, x) => (row.readUInt8(x * 4 + 3) > 127 ? '#' : ' ')).join(''))
    previous = row
  }
  return rows.join('\n')
}

function unfiltered(filter: number, row: Buffer, above: Buffer): Buffer {
  const out = Buffer.from(row)
  for (let i = 0; i < out.length; i += 1) {
    const a = i < 4 ? 0 : (out[i - 4] ?? 0)
    const b = above[i] ?? 0
    const c = i < 4 ? 0 : (above[i - 4] ?? 0)
    const nearest = [a, b, c].reduce((best, value) =>
      Math.abs(a + b - c - value) < Math.abs(a + b - c - best) ? value : best,
    )
    const guess = [0, a, b, (a + b) >> 1, nearest][filter] ?? 0
    out[i] = ((row[i] ?? 0) + guess) & 0xff
  }
  return out
}

describe('the tray', () => {
  test.each(trayStates)('has %s for every platform in every size', (state) => {
    expect({
      mac: [`${state}Template.png`, `${state}Template@2x.png`].map((name) => sizeOf(read(`tray/${name}`))),
      linux: [`${state}-light.png`, `${state}-light@2x.png`].map((name) => sizeOf(read(`tray/${name}`))),
      windows: [`${state}-light.ico`, `${state}-dark.ico`].map((name) => icoSizes(read(`tray/${name}`))),
    }).toEqual({
      mac: [
        [18, 18],
        [36, 36],
      ],
      linux: [
        [24, 24],
        [48, 48],
      ],
      windows: [
        [16, 20, 24, 32],
        [16, 20, 24, 32],
      ],
    })
  })

  test('has six states that differ by shape, at the smallest size too', () => {
    const shapes = trayStates.map((state) => coverage(read(`tray/${state}Template.png`)))
    for (const [index, shape] of shapes.entries()) {
      for (const other of shapes.slice(index + 1)) {
        const differing = [...shape].filter((pixel, at) => pixel !== other[at]).length
        // Of 324: a shape that differs by less is told by nobody.
        expect(differing).toBeGreaterThanOrEqual(8)
      }
    }
  })

  test('has no picture that nothing shows', () => {
    expect(readdirSync(join(resources, 'tray')).length).toBe(trayStates.length * 6)
  })
})

test('the app has an icon for every platform', () => {
  const sizes = readdirSync(join(resources, 'app/linux'))
  expect(
    sizes.map((name) => [name, `${sizeOf(read(`app/linux/${name}`)).join('x')}.png`]).filter(([a, b]) => a !== b),
  ).toEqual([])
  expect([sizes.length, sizeOf(read('app/mac.png')), icoSizes(read('app/windows.ico'))]).toEqual([
    8,
    [1_024, 1_024],
    [16, 20, 24, 32, 40, 48, 64, 256],
  ])
})

test('the window’s icon is the same drawing', () => {
  const favicon = readFileSync(join(import.meta.dirname, '../../src/renderer/public/icon.svg'), 'utf8')
  expect(favicon).toBe(read('icon.svg').toString('utf8'))
})
