// Makes every icon from the one drawing, resources/icon.svg, with the system's Chromium: app icons for each platform,
// and the tray's six states, which keep the track and differ in the shape of the signal. Run it after a change of the
// drawing and commit what it wrote.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const resources = join(root, 'resources')
const drawing = readFileSync(join(resources, 'icon.svg'), 'utf8')
const track = drawing.match(/<g id="track"[^>]*>([\s\S]*?)<\/g>/)[1]
const [, x, y] = drawing.match(/id="signal" cx="([\d.]+)" cy="([\d.]+)"/).map(Number)

/** A signal larger than in the drawing, since its shape must be told at 16 pixels. */
const signals = {
  ok: `<circle cx="${x}" cy="${y}" r="4.6" fill="INK" />`,
  low: `<path d="M${x} ${y - 5}L${x + 5.2} ${y + 4.2}H${x - 5.2}Z" fill="INK" stroke="INK" stroke-width="1" stroke-linejoin="round" />`,
  exhausted: `<rect x="${x - 4.3}" y="${y - 4.3}" width="8.6" height="8.6" rx="0.8" fill="INK" />`,
  paused: `<path d="M${x - 2.5} ${y - 3.6}v7.2M${x + 2.9} ${y - 3.6}v7.2" stroke="INK" stroke-width="2.9" stroke-linecap="round" />`,
  stale: `<circle cx="${x}" cy="${y}" r="3.7" fill="none" stroke="INK" stroke-width="2" />`,
  error: `<path d="M${x - 3.4} ${y - 3.4}l6.8 6.8M${x + 3.4} ${y - 3.4}l-6.8 6.8" stroke="INK" stroke-width="2.7" stroke-linecap="round" />`,
}

/** The track stops short of the signal, or small pictures would be one blot. */
const trayDrawing = (state, ink) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="6.6 4.8 22 22">
  <mask id="gap" maskUnits="userSpaceOnUse" x="0" y="0" width="32" height="32">
    <rect width="32" height="32" fill="#fff" />
    <circle cx="${x}" cy="${y}" r="6.1" fill="#000" />
  </mask>
  <g fill="none" stroke="${ink}" stroke-width="2.5" stroke-linecap="round" mask="url(#gap)">${track}</g>
  ${signals[state].replaceAll('INK', ink)}
</svg>`

/** macOS wants air around the tile. */
const macDrawing = drawing.replace('viewBox="0 0 32 32"', 'viewBox="-2.6 -2.6 37.2 37.2"')

const browser = await chromium.launch({
  executablePath: process.env.POINTSMAN_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
})
const page = await browser.newPage({ deviceScaleFactor: 1 })

async function render(svg, size) {
  await page.setViewportSize({ width: size, height: size })
  const sized = svg.replace('<svg ', `<svg width="${size}" height="${size}" style="display:block" `)
  await page.setContent(`<body style="margin:0">${sized}</body>`)
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } })
}

/** The container of Windows: a directory of pictures, each a whole PNG. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index
    // 0 stands for 256.
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const renderAll = async (svg, sizes) => {
  const pictures = []
  for (const size of sizes) pictures.push({ size, png: await render(svg, size) })
  return pictures
}

function write(name, bytes) {
  const path = join(resources, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

for (const folder of ['app', 'tray']) rmSync(join(resources, folder), { recursive: true, force: true })
for (const size of [16, 24, 32, 48, 64, 128, 256, 512]) {
  write(`app/linux/${size}x${size}.png`, await render(drawing, size))
}
write('app/mac.png', await render(macDrawing, 1024))
write('app/windows.ico', ico(await renderAll(drawing, [16, 20, 24, 32, 40, 48, 64, 256])))
for (const state of Object.keys(signals)) {
  const black = trayDrawing(state, '#000')
  const white = trayDrawing(state, '#fff')
  write(`tray/${state}Template.png`, await render(black, 18))
  write(`tray/${state}Template@2x.png`, await render(black, 36))
  write(`tray/${state}-light.png`, await render(white, 24))
  write(`tray/${state}-light@2x.png`, await render(white, 48))
  write(`tray/${state}-light.ico`, ico(await renderAll(white, [16, 20, 24, 32])))
  write(`tray/${state}-dark.ico`, ico(await renderAll(trayDrawing(state, '#1a1a1a'), [16, 20, 24, 32])))
}
await browser.close()
writeFileSync(join(root, 'src/renderer/public/icon.svg'), drawing)
console.log(`wrote the app icons and ${Object.keys(signals).length} tray states into resources/`)
