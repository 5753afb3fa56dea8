/**
 * How the window feels with a million calls in the log, in the system's Chromium without a graphics card: until the tab
 * can be used, frames while the log is scrolled, and how long a key press takes to be seen. `npm run build` comes first.
 * `--rows N` (1,000,000), `--rounds N` (3).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { sampleCall } from '../test/adapters/sqlite/sample-calls.ts'
import { startProgram } from '../test/program/run-program.ts'
import { seedCalls } from '../test/window/seed-calls.ts'

const { values: options } = parseArgs({ options: { rows: { type: 'string' }, rounds: { type: 'string' } } })
const rows = Number(options.rows ?? 1_000_000)
const rounds = Number(options.rounds ?? 3)
const scrollMs = 3_000

const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-window-'))
const newestMs = Date.now() - 60_000
seedCalls(
  dataDir,
  rows,
  (place) => sampleCall((newestMs - place * 1_700) * 1_000),
  () => false,
)
const program = await startProgram({ window: true, dataDir })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
try {
  const found = []
  for (let round = 0; round < rounds; round += 1) found.push(await measure())
  console.log(`${rows.toLocaleString('en-GB')} calls, ${cpus()[0].model}, ${cpus().length} cores, median of ${rounds}`)
  for (const what of Object.keys(found[0])) {
    const all = found.map((figures) => figures[what]).sort((a, b) => a - b)
    const [least, median, most] = [all[0], all[rounds >> 1], all.at(-1)].map((ms) => ms.toFixed(1))
    console.log(`${what.padEnd(46)} ${median.padStart(8)} ms   ${least} to ${most}`)
  }
} finally {
  await browser.close()
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure() {
  const page = await (await browser.newContext({ viewport: { width: 1080, height: 720 } })).newPage()
  await page.goto((await program.rpc('app.openLink', {})).url)
  await page.getByRole('tab').first().waitFor()
  const opened = await page.evaluate(openLog)
  await page.reload()
  await page.locator('.call-row').nth(5).waitFor()
  const loaded = await page.evaluate(() => performance.now())
  const near = await page.evaluate(scrolled, { overMs: scrollMs, stepPx: 60 })
  const far = await page.evaluate(scrolled, { overMs: scrollMs, stepPx: 200_000 })
  await page.locator('.call-row').first().focus()
  const keys = []
  for (let press = 0; press < 30; press += 1) keys.push(await page.evaluate(pressed))
  await page.context().close()
  return {
    'from the click on the tab to its rows': opened,
    'from a reload to the rows': loaded,
    'frame while scrolling by the wheel, p50': at(near, 0.5),
    'frame while scrolling by the wheel, p99': at(near, 0.99),
    'frame while the scrollbar is dragged, p50': at(far, 0.5),
    'frame while the scrollbar is dragged, p99': at(far, 0.99),
    'from a key to the row that has the focus, p50': at(keys, 0.5),
  }
}

function at(all, share) {
  return [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))]
}

// The rest runs in the page.

/** Until rows are painted. */
function openLog() {
  const begun = performance.now()
  document.querySelectorAll('[role=tab]')[2].click()
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelectorAll('.call-row').length > 5) resolve(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** How long each frame took; the way turns round at either end. */
function scrolled({ overMs, stepPx }) {
  const box = document.querySelector('[role=grid]')
  const frames = []
  let step = stepPx
  return new Promise((resolve) => {
    const begun = performance.now()
    let last = begun
    const next = (now) => {
      frames.push(now - last)
      last = now
      const before = box.scrollTop
      box.scrollTop += step
      if (box.scrollTop === before) step = -step
      if (now - begun < overMs) requestAnimationFrame(next)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(next)
  })
}

/** Until the next row has the focus and is painted. */
function pressed() {
  const before = document.activeElement
  const begun = performance.now()
  before.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
  return new Promise((resolve) => {
    const look = () => {
      if (document.activeElement !== before) requestAnimationFrame(() => resolve(performance.now() - begun))
      else requestAnimationFrame(look)
    }
    look()
  })
}
