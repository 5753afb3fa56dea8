// Takes the pictures of `docs/pictures/` from the built program in practice mode, in the system's Chromium.
// `node scripts/screenshots.mjs [NAME…]` takes only the pictures whose name begins with one of the names.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright'
import { buildIfStale, headless, projectNode, root } from './build-if-stale.mjs'

const folder = join(root, 'docs', 'pictures')
const size = { width: 1080, height: 720 }

const english = { language: 'en' }
const looks = {
  light: { theme: 'light', ...english },
  dark: { theme: 'dark', ...english },
  zh: { theme: 'light', language: 'zh' },
}

const rowsAreThere = (page) => page.locator('.backend-row').first().waitFor()

const callsAreThere = async (page) => {
  await page.locator('.call-row').nth(6).waitFor({ timeout: 60_000 })
  await page.locator('.call-row:has(.outcome.tone-good)').first().waitFor()
}

const callIsOpen = async (page) => {
  await callsAreThere(page)
  await page.locator('.call-row:has(.outcome.tone-good)').first().click()
  await page.locator('.explanation-sentence').waitFor()
}

/** Each tab in each look; `prepare` brings the page to what is to be seen. Further parts add theirs here. */
const pictures = [
  ...Object.keys(looks).map((look) => ({ name: `profiles-${look}`, tab: 'profiles', look })),
  { name: 'profiles-zoom', tab: 'profiles', look: 'light', size: { width: 540, height: 720 } },
  ...Object.keys(looks).map((look) => ({ name: `models-${look}`, tab: 'models', look, prepare: rowsAreThere })),
  {
    name: 'models-zoom',
    tab: 'models',
    look: 'light',
    size: { width: 540, height: 720 },
    prepare: rowsAreThere,
  },
  {
    name: 'models-drag',
    tab: 'models',
    look: 'light',
    prepare: async (page) => {
      await rowsAreThere(page)
      await page.locator('.backend-row').nth(1).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.locator('[data-drop-target]').waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowUp')
    },
  },
  {
    name: 'models-menu',
    tab: 'models',
    look: 'dark',
    prepare: async (page) => {
      await rowsAreThere(page)
      await page.locator('.backend-row .button-icon').nth(1).click()
      await page.getByRole('menu').waitFor()
    },
  },
  ...Object.keys(looks).map((look) => ({ name: `calls-${look}`, tab: 'calls', look, prepare: callIsOpen })),
  { name: 'calls-rows', tab: 'calls', look: 'light', prepare: callsAreThere },
  { name: 'calls-zoom', tab: 'calls', look: 'light', size: { width: 540, height: 720 }, prepare: callsAreThere },
  {
    name: 'calls-charts',
    tab: 'calls',
    look: 'dark',
    size: { width: 1080, height: 900 },
    prepare: async (page) => {
      await callsAreThere(page)
      await page.getByRole('button', { name: 'Charts' }).click()
      await page.locator('.plot canvas').waitFor()
    },
  },
  {
    name: 'practice',
    tab: 'profiles',
    look: 'light',
    prepare: (page) => page.locator('.practice .button').first().click(),
  },
  {
    name: 'settings',
    tab: 'profiles',
    look: 'light',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

const wanted = process.argv.slice(2)
const chosen = pictures.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))

buildIfStale({ say: console.log })
mkdirSync(folder, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-pictures-'))
const args = ['serve', '--json', '--practice', '--traffic', '--port', '0', '--ui-port', '0', '--data-dir', dataDir]
const program = spawn(projectNode, [headless, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
const browser = await chromium.launch({
  executablePath: process.env.POINTSMAN_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
try {
  const line = await new Promise((resolve) => createInterface(program.stdout).once('line', resolve))
  const context = await browser.newContext({ viewport: size, locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(JSON.parse(line).ui)
  await page.getByRole('tab').first().waitFor()
  // The simulated traffic has called every vendor once by then.
  await page.goto(`${new URL(page.url()).origin}/#profiles`)
  await page.getByRole('meter').nth(6).waitFor({ timeout: 60_000 })
  for (const { name, tab, look, prepare, size: own = size } of chosen) {
    await page.setViewportSize(own)
    await page.evaluate((choices) => localStorage.setItem('pointsman.choices', choices), JSON.stringify(looks[look]))
    await page.evaluate((hash) => history.replaceState(null, '', hash), `#${tab}`)
    await page.reload()
    await page.getByRole('tabpanel').locator('h2').first().waitFor()
    await prepare?.(page)
    await page.mouse.move(0, 0)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/pictures/${name}.png`)
  }
} finally {
  await browser.close()
  program.kill('SIGTERM')
  await new Promise((resolve) => program.once('close', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}
