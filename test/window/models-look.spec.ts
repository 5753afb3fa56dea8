/** The Models tab for everybody: axe in three colour schemes, at 200 % zoom, on a narrow screen, with little motion. */
import { expectNoViolations } from './axe.ts'
import { chooseStrategy, key, personal, pick, rowOf, say, showPool, team } from './models-kit.ts'
import { choose, expect, test } from './window.ts'

test.use({ tab: 'Models' })

for (const scheme of ['light', 'dark', 'forced colours'] as const) {
  test(`axe finds nothing in ${scheme}: rows in every state, menus, dialogs, notices`, async ({ win, program }) => {
    await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
    await program.rpc('practice.fault', { sourceId: 'claude-work', fault: 'revoke' })
    await say(program, 'a-conversation')
    await win.emulateMedia({ forcedColors: scheme === 'forced colours' ? 'active' : 'none', reducedMotion: 'reduce' })
    await choose(win, { theme: scheme === 'dark' ? 'dark' : 'light' })
    await win.getByRole('searchbox', { name: 'Find a model' }).fill('gpt-5.5')
    const pool = await showPool(win)
    await expect(rowOf(pool, team)).toContainText('used up')
    await pick(win, pool, key, 'Disable')
    await pick(win, pool, key, 'Test')
    await expect(rowOf(pool, key)).toContainText('answered as')
    await pick(win, pool, personal, 'Move up')
    await win.getByRole('button', { name: 'Undo' }).waitFor()
    await expectNoViolations(win)

    await rowOf(pool, team)
      .getByRole('button', { name: /More actions/ })
      .click()
    await win.getByRole('menu').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await pool.getByRole('button', { name: /Strategy of/ }).click()
    await win.getByRole('listbox').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await pick(win, pool, team, 'Weight and aliases…')
    await win.getByRole('dialog').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await chooseStrategy(win, pool, /^Balanced/)
    await pool.getByRole('button', { name: 'Options of the strategy' }).click()
    await win.getByRole('dialog').waitFor()
    await expectNoViolations(win)
    await win.keyboard.press('Escape')
    await pick(win, pool, personal, 'Move down')
    await win.getByRole('dialog', { name: 'Whose order counts?' }).waitFor()
    await expectNoViolations(win)
  })
}

for (const [what, width] of [
  ['at 200 % zoom', 540],
  ['on a narrow screen', 360],
] as const) {
  for (const language of ['en', 'zh']) {
    test(`nothing is cut off or scrolls sideways ${what}, in ${language}`, async ({ win }) => {
      await choose(win, { language })
      await win.setViewportSize({ width, height: 640 })
      const pool = await showPool(win)
      await pool.locator('.backend-row').first().waitFor()
      expect(await win.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      const cut = await pool
        .locator('.row-source, .row-line, .row-model, .badge, .divider-text, .pool-model')
        .evaluateAll((parts) =>
          parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
        )
      expect(cut).toEqual([])
    })
  }
}

test('with reduced motion nothing moves by itself', async ({ win }) => {
  await win.emulateMedia({ reducedMotion: 'reduce' })
  await pick(win, await showPool(win), personal, 'Move up')
  await win.getByRole('button', { name: 'Undo' }).waitFor()
  const lengths = await win.evaluate(() => document.getAnimations().map(({ effect }) => effect?.getTiming().duration))
  expect(lengths.filter((length) => length !== 0)).toEqual([])
})

test('a state that changes moves no column and no row', async ({ win, program }) => {
  const pool = await showPool(win)
  const places = () =>
    pool.locator('.row-source, .row-reason, .button-icon').evaluateAll((parts) =>
      parts.map((part) => {
        const { x, y, height } = part.getBoundingClientRect()
        return [x, y + window.scrollY, height]
      }),
    )
  await expect(rowOf(pool, team)).toContainText('would serve now')
  const before = await places()
  await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
  await say(program, 'a-conversation')
  await expect(rowOf(pool, team)).toContainText('used up')
  await expect(rowOf(pool, personal)).toContainText('would serve now')
  expect(await places()).toEqual(before)
})
