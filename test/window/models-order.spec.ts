/** The order of a pool: dragged with the mouse or by keyboard, stepped, tiered, undone; and what it does to real calls. */
import { expectNoViolations } from './axe.ts'
import {
  chooseStrategy,
  dragTo,
  expectOrder,
  focusedName,
  key,
  line,
  personal,
  pick,
  rowOf,
  say,
  showPool,
  storedPool,
  team,
} from './models-kit.ts'
import { expect, tabTo, test } from './window.ts'

test.use({ tab: 'Models' })

test('shows who would serve now, who is next, and why', async ({ win }) => {
  const pool = await showPool(win)
  await expectOrder(pool, team, personal, line, key)
  await expect(rowOf(pool, team)).toContainText('would serve now')
  await expect(rowOf(pool, team)).toContainText(/65 % of 5 hours left, renews/)
  await expect(rowOf(pool, personal)).toContainText('next, if that fails')
  await expect(rowOf(pool, key)).toContainText('Paid by use')
})

test('dragged to the top with the mouse, a backend gets the next new conversation; an open one stays', async ({
  win,
  program,
}) => {
  expect(await say(program, 'open-one')).toBe(team)
  const pool = await showPool(win)
  await dragTo(win, rowOf(pool, personal), rowOf(pool, team), 'above')
  await expectOrder(pool, personal, team, line, key)
  // Hovering stops the clock of the notice.
  await win.getByText('Codex, personal moved to 1 of 3.').hover()
  await expect(rowOf(pool, personal)).toContainText('would serve now')
  expect(await say(program, 'new-one')).toBe(personal)
  expect(await say(program, 'open-one')).toBe(team)

  await win.getByRole('button', { name: 'Undo' }).click()
  await expectOrder(pool, team, personal, line, key)
  await expect.poll(async () => (await storedPool(program)).tiers.map((tier) => tier.length)).toEqual([2, 1])
  expect(await say(program, 'third')).toBe(team)
})

test('open conversations are taken along when the person wants it', async ({ win, program }) => {
  expect(await say(program, 'open-one')).toBe(team)
  const pool = await showPool(win)
  await pick(win, pool, personal, 'Move to top')
  await win.getByRole('button', { name: 'Also move 1 open conversation' }).click()
  await expect(win.getByText('1 conversation goes by the new order from the next request on.')).toBeVisible()
  await expect(win.getByRole('button', { name: /Also move/ })).toHaveCount(0)
  expect(await say(program, 'open-one')).toBe(personal)
})

test('a divider is dragged like a row, and one at an end vanishes', async ({ win, program }) => {
  const pool = await showPool(win)
  const divider = pool.getByRole('row', { name: /^Tier 2/ })
  await dragTo(win, divider, rowOf(pool, team), 'below')
  await expectOrder(pool, team, line, personal, key)
  await expect.poll(async () => (await storedPool(program)).tiers.map((tier) => tier.length)).toEqual([1, 2])
  await dragTo(win, divider, rowOf(pool, team), 'above')
  await expectOrder(pool, team, personal, key)
})

test('by keyboard alone: into the list, to the handle, over the gaps, dropped; focus stays on the row', async ({
  win,
  program,
}) => {
  const pool = await showPool(win)
  const last = rowOf(pool, key)
  await tabTo(win, 'Find a model')
  await win.keyboard.type('gpt-5.5')
  await expect(win.getByRole('article')).toHaveCount(1)
  await tabTo(win, /^Codex, team, 1 of 3/)
  await win.keyboard.press('End')
  await expect(last).toBeFocused()
  await win.keyboard.press('ArrowRight')
  await expect(last.getByRole('button', { name: 'Drag OpenAI key' })).toBeFocused()
  await win.keyboard.press('Enter')
  await expect.poll(() => focusedName(win)).toMatch(/^Insert /)
  await win.keyboard.press('Home')
  for (let press = 0; press < 8 && !/before Codex, team/.test(await focusedName(win)); press += 1) {
    await win.keyboard.press('ArrowDown')
  }
  expect(await focusedName(win)).toMatch(/^Insert before Codex, team/)
  await win.keyboard.press('Enter')
  await expectOrder(pool, key, team, personal)
  await expect(win.getByText('OpenAI key moved to 1 of 3.')).toBeVisible()
  await expect(last).toBeFocused()
  expect(await say(program, 'by-keyboard')).toBe(key)

  await win.keyboard.press('Alt+ArrowDown')
  await win.keyboard.press('Alt+ArrowDown')
  await expectOrder(pool, team, personal, key)
  await expect(last).toBeFocused()
  await win.keyboard.press('Alt+ArrowUp')
  await expectOrder(pool, team, key, personal)
  await expect(last).toBeFocused()
  await expect.poll(async () => (await storedPool(program)).tiers[0]?.[1]?.backendId).toBe('openai-key:gpt-5.5')
})

test('Escape ends a keyboard drag without a change', async ({ win, program }) => {
  const pool = await showPool(win)
  await rowOf(pool, personal).focus()
  await win.keyboard.press('ArrowRight')
  await win.keyboard.press('Enter')
  await expect.poll(() => focusedName(win)).toMatch(/^Insert /)
  await win.keyboard.press('ArrowDown')
  await win.keyboard.press('Escape')
  await expectOrder(pool, team, personal, line, key)
  expect((await storedPool(program)).revision).toBe(1)
})

test('the row menu does every move without dragging, and one undo takes a row back to where it began', async ({
  win,
}) => {
  const pool = await showPool(win)
  await pick(win, pool, key, 'Move to top')
  await expectOrder(pool, key, team, personal)
  await pick(win, pool, key, 'Move down')
  await expectOrder(pool, team, key, personal)
  await pick(win, pool, key, 'Move to bottom')
  await expectOrder(pool, team, personal, key)
  await win.getByRole('button', { name: 'Undo' }).click()
  await expectOrder(pool, team, personal, line, key)
  await pick(win, pool, key, 'Move to the tier above')
  await expectOrder(pool, team, personal, key)
  await pick(win, pool, personal, 'New tier from here')
  await expectOrder(pool, team, line, personal, key)
  await pick(win, pool, team, 'Move to the tier below')
  await expectOrder(pool, team, personal, key)
  await pick(win, pool, key, 'Move to the tier below')
  await expectOrder(pool, team, personal, line, key)
  await pool.getByRole('button', { name: /More actions for Tier 2/ }).click()
  await win.getByRole('menuitem', { name: 'Remove this divider' }).click()
  await expectOrder(pool, team, personal, key)
  await rowOf(pool, team)
    .getByRole('button', { name: /More actions/ })
    .click()
  await expect(win.getByRole('menuitem', { name: 'Move up' })).toHaveAttribute('aria-disabled', 'true')
})

test('under a strategy of its own mind it asks whose order counts, once', async ({ win, program }) => {
  const pool = await showPool(win)
  await chooseStrategy(win, pool, /^Smart/)
  await pick(win, pool, personal, 'Move up')
  const question = win.getByRole('dialog', { name: 'Whose order counts?' })
  await question.waitFor()
  await win.keyboard.press('Escape')
  await expectOrder(pool, team, personal, line, key)

  await pick(win, pool, personal, 'Move up')
  await question.getByRole('button', { name: 'Keep the strategy' }).click()
  await expectOrder(pool, personal, team, line, key)
  expect((await storedPool(program)).strategy).toBe('smart')
  await pick(win, pool, personal, 'Move down')
  await expectOrder(pool, team, personal, line, key)
  await expect(question).toHaveCount(0)

  await chooseStrategy(win, pool, /^By pace/)
  await pick(win, pool, personal, 'Move up')
  await question.getByRole('button', { name: 'Use my order' }).click()
  await expectOrder(pool, personal, team, line, key)
  await expect.poll(async () => (await storedPool(program)).strategy).toBe('ordered')
  await win.getByRole('button', { name: 'Undo' }).click()
  await expectOrder(pool, team, personal, line, key)
  await expect.poll(async () => (await storedPool(program)).strategy).toBe('pace')
})

test('a model in use that an order would have paid for by use is asked about first, and nothing moves until then', async ({
  win,
  program,
}) => {
  expect(await say(program, 'earlier')).toBe(team)
  const pool = await showPool(win)
  await dragTo(win, rowOf(pool, key), rowOf(pool, team), 'above')
  const question = win.getByRole('dialog', { name: 'Let OpenAI key go first?' })
  await expect(question).toContainText('New conversations of gpt-5.5 would then be paid for by use, by OpenAI key.')
  await expect(question).toContainText('Keys that may ask for it: default. 1 call of the last 7 days asked for it')
  await expectNoViolations(win)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expectOrder(pool, team, personal, line, key)
  expect((await storedPool(program)).tiers.map((tier) => tier.length)).toEqual([2, 1])
  await pick(win, pool, key, 'Move to top')
  await question.getByRole('button', { name: 'Let it go first' }).click()
  await expectOrder(pool, key, team, personal)
  await win.getByText('OpenAI key moved to 1 of 3.').hover()
  expect(await say(program, 'paid-for')).toBe(key)
  // Nothing is asked on the way back.
  await pick(win, pool, team, 'Move to top')
  await expectOrder(pool, team, key, personal)
})
