/** The call log for everybody: axe in three colour schemes, at 200 % zoom, on a narrow screen, with little motion. */
import { expectNoViolations } from './axe.ts'
import { calls, expect, explanationOf, lineAt, linesOf, test } from './calls-kit.ts'
import { choose } from './window.ts'

test.use({ tab: 'Call log' })

for (const scheme of ['light', 'dark', 'forced colours'] as const) {
  test(`axe finds nothing in ${scheme}: rows, an explanation, filters, charts, table, export, empty`, async ({
    win,
    program,
  }) => {
    await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'overload' })
    await calls(program, 3)
    await win.emulateMedia({ forcedColors: scheme === 'forced colours' ? 'active' : 'none', reducedMotion: 'reduce' })
    await choose(win, { theme: scheme === 'dark' ? 'dark' : 'light' })
    await expect(linesOf(win).nth(2)).toContainText('attempts')
    await expectNoViolations(win)
    await lineAt(win, 1).click()
    await explanationOf(win).getByText('Seats as the strategy saw them').click()
    await explanationOf(win).getByText('Trail', { exact: true }).click()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await win.getByRole('button', { name: 'Charts' }).click()
    await win.locator('.plot canvas').waitFor()
    await expectNoViolations(win)
    await win.getByRole('button', { name: 'As a table' }).click()
    await expectNoViolations(win)
    await win
      .locator('.call-filters')
      .getByRole('button', { name: /Outcome/ })
      .click()
    await win.getByRole('listbox').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await win.getByRole('button', { name: 'Export' }).click()
    await win.getByRole('dialog').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await win.getByRole('searchbox', { name: 'Search calls' }).fill('nothing like this')
    await win.getByText('No call matches').waitFor()
    await expectNoViolations(win)
  })
}

for (const [what, width] of [
  ['at 200 % zoom', 540],
  ['on a narrow screen', 360],
] as const) {
  for (const language of ['en', 'zh']) {
    test(`nothing scrolls sideways and the facts stay readable ${what}, in ${language}`, async ({ win, program }) => {
      await calls(program, 2)
      await choose(win, { language })
      await win.setViewportSize({ width, height: 640 })
      await lineAt(win, 0).click()
      await expect(explanationOf(win)).toContainText('Codex, team')
      expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      const cut = await win
        .locator('.figure dd, .figure dt, .fact dd, .fact dt, .attempt-name, .attempt-words, .explanation-sentence')
        .evaluateAll((parts) =>
          parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
        )
      expect(cut).toEqual([])
      const grid = await win.locator('.call-grid').evaluate((box) => box.scrollWidth - box.clientWidth)
      expect(grid).toBe(0)
    })
  }
}

test('with reduced motion nothing moves by itself', async ({ win, program }) => {
  await win.emulateMedia({ reducedMotion: 'reduce' })
  await calls(program, 1)
  await lineAt(win, 0).click()
  const lengths = await win.evaluate(() => document.getAnimations().map(({ effect }) => effect?.getTiming().duration))
  expect(lengths.filter((length) => length !== 0)).toEqual([])
})
