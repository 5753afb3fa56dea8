/** The call log at its limits: a million rows, hostile texts (T4.1, T4.8), huge and deep fields (T4.9), exports (T4.6). */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { visible } from '../../src/renderer/text/visible.ts'
import { sampleDecision, sampleExecution } from '../adapters/sqlite/sample-calls.ts'
import { callAt, cell, expect, explanationOf, gridOf, lineAt, newerOf, scrollTo, test } from './calls-kit.ts'
import { hostileStrings } from './hostile-strings.ts'
import { call } from './window.ts'

test.describe.configure({ timeout: 240_000 })

const million = 1_000_000

test('a million rows are reached by scrollbar, keyboard and address, and new calls move none', async ({ seeded }) => {
  const newestMs = Date.now() - 60_000
  const { page, program } = await seeded({
    count: million,
    recordOf: (place) => callAt(place, newestMs, 1_700),
    isWhole: (place) => place % 1_000 === 0,
  })
  await expect(page.locator('.call-count')).toHaveText('1,000,000 calls')
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '1000001')
  const tokensAt = (place: number) => cell(lineAt(page, place), 'tokens')
  const text = (place: number) => `${place.toLocaleString('en-GB')} / 10`
  for (const share of [0.5, 0.25, 1, 0.9]) {
    await scrollTo(page, share)
    const away = async () => Math.abs((await placeInTheMiddle(page)) - share * million)
    await expect.poll(away).toBeLessThan(30)
    const middle = await placeInTheMiddle(page)
    await expect(tokensAt(middle)).toHaveText(text(middle))
  }
  await scrollTo(page, 0.5)
  await expect(tokensAt(500_000)).toHaveText(text(500_000))
  await lineAt(page, 500_000).click()
  await expect(explanationOf(page)).toContainText(String((newestMs - 500_000 * 1_700) * 1_000))
  await call(program)
  await expect(newerOf(page)).toHaveText('1 new')
  await expect(tokensAt(500_000)).toHaveText(text(500_000))
  await page.reload()
  await expect(explanationOf(page)).toContainText(String((newestMs - 500_000 * 1_700) * 1_000))
  await expect(lineAt(page, 500_001)).toBeInViewport()
  await page.keyboard.press('Escape')
  await lineAt(page, 500_001).focus()
  await page.keyboard.press('End')
  await expect(lineAt(page, million)).toBeFocused()
  await expect(tokensAt(million)).toHaveText(text(million - 1))
})

/** Of the row that is shown in the middle of the grid; NaN while there is none. */
async function placeInTheMiddle(page: Page): Promise<number> {
  const box = await gridOf(page).boundingBox()
  return page.evaluate(
    ({ x, y }) =>
      Number(document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]')?.dataset.place ?? Number.NaN),
    { x: (box?.x ?? 0) + 200, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 },
  )
}

/** Whatever ran, opened or was asked for elsewhere. */
async function watchFor(page: Page): Promise<() => Promise<object>> {
  const strays: string[] = []
  const { origin } = new URL(page.url())
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) strays.push(request.url())
  })
  page.on('dialog', (dialog) => {
    strays.push(dialog.message())
    void dialog.dismiss()
  })
  return async () => ({ strays, ran: await page.evaluate(() => '__pwned' in window) })
}

test('T4.1 T4.3 T4.8 over 200 hostile texts as account, model, sentence and reason are text in row and explanation', async ({
  seeded,
}) => {
  expect(hostileStrings.length).toBeGreaterThanOrEqual(200)
  const newestMs = Date.now() - 60_000
  const { page } = await seeded({
    count: hostileStrings.length,
    recordOf(place) {
      const text = hostileStrings[place] ?? ''
      const execution = { ...sampleExecution, sourceLabel: text, sentence: text, because: text, requestId: text }
      return callAt(place, newestMs, 1_000, {
        sourceLabel: text,
        requestedModel: text,
        upstreamModel: text,
        client: text,
        executions: [execution],
        decision: {
          ...sampleDecision,
          sentence: `${text} served.`,
          warnings: [text],
          trail: [{ stage: 'ingress', decision: text, because: text, elapsedMs: 1 }],
          excluded: [
            { backendId: sampleExecution.backendId, label: text, because: 'x', sentence: text, untilMs: null },
          ],
        },
      })
    },
  })
  const outcome = await watchFor(page)
  await lineAt(page, 0).focus()
  for (const [place, text] of hostileStrings.entries()) {
    await expect(cell(lineAt(page, place), 'served')).toHaveText(visible(text), { useInnerText: false })
    // Every eighth is opened: one of each kind.
    if (place % 8 === 0) {
      await page.keyboard.press('Enter')
      await expect(explanationOf(page).locator('.explanation-sentence')).toContainText(visible(`${text} served.`))
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('ArrowDown')
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await outcome()).toEqual({ strays: [], ran: false })
})

test('T4.9 a call with hundreds of attempts and very long texts opens and stays within its lines', async ({
  seeded,
}) => {
  const long = 'x'.repeat(100_000)
  const { page } = await seeded({
    count: 3,
    recordOf: (place) =>
      callAt(place, Date.now() - 60_000, 1_000, {
        requestedModel: long,
        sourceLabel: long,
        executions: Array.from({ length: 300 }, () => ({ ...sampleExecution, sentence: long.slice(0, 5_000) })),
        decision: { ...sampleDecision, sentence: long, warnings: [long] },
      }),
  })
  await lineAt(page, 1).click()
  await expect(explanationOf(page).getByRole('listitem').nth(299)).toBeAttached()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(explanationOf(page)).toHaveCount(0)
})

test('T4.6 an export has every call of the filter and no cell that a spreadsheet would run', async ({ seeded }) => {
  const risky = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', ' =1', '"quoted", \n two lines', '＝1', 'plain']
  const { page, program } = await seeded({
    count: 1_234,
    recordOf: (place) =>
      callAt(place, Date.now() - 60_000, 1_000, {
        sourceLabel: place < risky.length ? (risky[place] ?? null) : place % 2 === 0 ? 'even' : 'odd',
      }),
  })
  const save = async (format: 'CSV' | 'JSON') => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').locator('.choice', { hasText: format }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^pointsman-calls-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
    )
    return readFileSync(await download.path(), 'utf8')
  }
  const csv = await save('CSV')
  const lines = csv.split(/\r\n(?=")/)
  expect(lines.length).toBe(1_235)
  expect(csv.startsWith('\ufeff"id","started",')).toBe(true)
  const guarded = ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", "' =1", '""quoted"", \n two lines', "'＝1", 'plain']
  for (const [place, text] of guarded.entries()) expect(lines[place + 1]).toContain(`,"${text}",`)
  const cells = csv.replace(/^\ufeff/, '').match(/"(?:[^"]|"")*"/g) ?? []
  expect(cells.length).toBe(1_235 * (lines[0] ?? '').split(',').length)
  expect(cells.filter((text) => /^"\s*[=+\-@\t\r]/.test(text))).toEqual([])

  await page.getByRole('searchbox', { name: 'Search calls' }).fill('odd')
  await expect(page.locator('.call-count')).toHaveText('612 calls')
  const json = JSON.parse(await save('JSON')) as readonly { readonly call: { readonly id: string } }[]
  expect(json.length).toBe(612)
  expect(json[0]).toEqual(await program.rpc('calls.get', { id: json[0]?.call.id }))
})
