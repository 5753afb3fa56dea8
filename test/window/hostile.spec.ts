/** Hostile texts as names, models and keys: shown as text, run by nothing, fetched from nowhere (T4.1, T4.3, T4.8). */
import { visible } from '../../src/renderer/text/visible.ts'
import { hostileStrings } from './hostile-strings.ts'
import { expect, openWindow, test, watch } from './window.ts'

test.describe.configure({ timeout: 120_000 })

test('T4.1 T4.3 T4.8 over 200 hostile names are shown as text and do nothing', async ({
  page: win,
  program,
  complaints,
}) => {
  expect(hostileStrings.length).toBeGreaterThanOrEqual(200)
  const shown: string[] = []
  for (const [index, text] of hostileStrings.entries()) {
    const made = await program
      .rpc<{ label: string }>('profiles.create', {
        kind: 'api',
        label: text,
        dialects: ['chat'],
        baseUrl: 'http://127.0.0.1:9',
        models: [{ id: `${index} ${text}`.slice(0, 150) }],
      })
      // Control characters are refused where they come in.
      .catch(() => null)
    if (made !== null) shown.push(made.label)
  }
  expect(shown.length).toBeGreaterThanOrEqual(200)
  for (const text of hostileStrings.slice(0, 40)) await program.rpc('keys.create', { label: text }).catch(() => null)

  const asked: string[] = []
  win.on('request', (request) => asked.push(request.url()))
  win.on('dialog', () => asked.push('a dialog'))
  watch(win, complaints)
  await openWindow(win, program)

  const titles = win.getByRole('region', { name: /API profiles/ }).getByRole('heading', { level: 3 })
  await expect(titles).toHaveCount(shown.length + 2)
  const texts = new Set(await titles.allTextContents())
  expect(shown.filter((label) => !texts.has(visible(label)))).toEqual([])
  // One of them opened, with its models in the form.
  const cards = win.getByRole('region', { name: /API profiles/ })
  await cards.getByRole('button', { name: `More actions for ${visible(shown[0] ?? '')}`, exact: true }).click()
  await win.getByRole('menuitem', { name: 'Edit…' }).click()
  await expect(win.getByRole('textbox', { name: 'Models' })).toHaveValue(`0 ${hostileStrings[0]}`)

  expect(await win.evaluate(() => (globalThis as { __pwned?: unknown }).__pwned)).toBeUndefined()
  const { origin } = new URL(win.url())
  expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
  expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('T4.1 the control: as HTML in a page without our policy such texts do run', async ({ browser }) => {
  const page = await browser.newPage()
  // One at a time: some lead the page away.
  const texts = hostileStrings.filter((text) => /^<(img|svg|video|details)\b.*__pwned=1/.test(text))
  expect(texts.length).toBeGreaterThan(4)
  const ran = await page.evaluate(async (texts) => {
    let count = 0
    for (const text of texts) {
      const holder = globalThis as { __pwned?: unknown }
      delete holder.__pwned
      document.body.innerHTML = text
      for (let look = 0; look < 20 && holder.__pwned === undefined; look += 1)
        await new Promise((resolve) => setTimeout(resolve, 25))
      if (holder.__pwned !== undefined) count += 1
    }
    return count
  }, texts)
  expect(ran).toBeGreaterThan(1)
  await page.close()
})
