/** The call log against a living program: failover explained, live rows that move nothing, filters, the keyboard. */
import { expectNoViolations } from './axe.ts'
import {
  calls,
  cell,
  expect,
  explanationOf,
  gridOf,
  lineAt,
  linesOf,
  newerOf,
  scrollTo,
  test,
  yOf,
} from './calls-kit.ts'
import { say } from './models-kit.ts'
import { call, openWindow, tabTo } from './window.ts'

test.use({ tab: 'Call log' })

test('a failover is one row whose sentence names both accounts and the cause', async ({ win, program }) => {
  expect(await say(program, 'a-conversation')).toBe('Codex, team')
  await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
  expect(await say(program, 'a-conversation')).toBe('Codex, personal')
  const line = lineAt(win, 0)
  await expect(line).toContainText('Codex, personal')
  await expect(line).toContainText('done, 2 attempts')
  await line.click()
  const explanation = explanationOf(win)
  const sentence = explanation.locator('.explanation-sentence')
  await expect(sentence).toContainText('Codex, personal served this call as the next in the order after Codex, team')
  await expect(sentence.locator('strong')).toContainText(['Codex, personal', 'Codex, team'])
  await expect(sentence).toContainText('5-hour limit is used up')
  const attempts = explanation.getByRole('listitem')
  await expect(attempts.nth(0)).toContainText(/Codex, team.*429/)
  await expect(attempts.nth(1)).toContainText(/Codex, personal.*200/)
  await expect(explanation).toContainText('WantedCodex, team · another one stood in')
  await expect(explanation).toContainText('bound to its account')
  await expect(explanation).toContainText(/subscription · Responses · generate · streamed/)
  await explanation.getByText('Seats as the strategy saw them').click()
  await expect(explanation.getByRole('table', { name: 'Seats as the strategy saw them' })).toContainText('OpenAI key')
  await explanation.getByText('Trail', { exact: true }).click()
  await expect(explanation.getByRole('table', { name: 'Trail' })).toContainText('ingress')
  // Today's figures have seen it.
  await expect(win.locator('.figure').filter({ hasText: 'Saved by failover' })).toContainText('1')
  await expect(win.locator('.figure').filter({ hasText: 'Served by the first choice' })).toContainText('50 %')
})

test('where another account served than was wanted, its row says whom it stood in for, and the filter finds it', async ({
  win,
  program,
}) => {
  const policy = { mode: 'preferred', sources: ['codex-personal'], fallback: 'default' }
  await program.rpc('keys.setPolicy', { id: 'default', policy })
  await call(program)
  await program.rpc('practice.fault', { sourceId: 'codex-personal', fault: 'exhaust' })
  await call(program)
  const served = cell(lineAt(win, 0), 'served')
  await expect(served).toHaveText('Codex, teamCodex, personal was wanted')
  await expect(served.getByTitle(/^Codex, personal was wanted\. Codex, team served this call .*limit/)).toBeVisible()
  await expect(cell(lineAt(win, 1), 'served')).toHaveText('Codex, personal')
  await expectNoViolations(win)
  await win
    .locator('.call-filters')
    .getByRole('button', { name: /Outcome/ })
    .click()
  await win.getByRole('option', { name: 'another account stood in' }).click()
  await expect(win.locator('.call-count')).toHaveText('1 call')
  await expect(served).toContainText('Codex, team')
})

test('the explanation is copied as JSON, and its address opens it again', async ({ win, program, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await call(program)
  await call(program)
  await lineAt(win, 1).click()
  const explanation = explanationOf(win)
  await explanation.getByRole('button', { name: 'Copy as JSON' }).click()
  const copied = JSON.parse(await win.evaluate(() => navigator.clipboard.readText())) as { call: { id: string } }
  const { rows } = await program.rpc<{ rows: { id: string }[] }>('calls.page', { limit: 2 })
  expect(copied.call.id).toBe(rows[1]?.id)
  expect(copied).toEqual(await program.rpc('calls.get', { id: copied.call.id }))
  await explanation.getByRole('button', { name: 'Copy link' }).click()
  const link = await win.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).hash).toBe(`#calls/${copied.call.id}`)
  expect(win.url()).toBe(link)
  await calls(program, 3)
  await win.reload()
  await expect(explanationOf(win)).toContainText(copied.call.id)
  await expect(lineAt(win, 4)).toHaveClass(/is-open/)
  await win.goto(link.replace(copied.call.id, '1'))
  await win.reload()
  await expect(win.getByText('This call is not among those shown here')).toBeVisible()
})

test('a call that still runs is shown as running, and then with its end', async ({ win, program }) => {
  await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'slow' })
  const answer = call(program)
  const line = lineAt(win, 0)
  await expect(line).toContainText('running')
  await line.click()
  await expect(explanationOf(win)).toContainText('This call still runs.')
  await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'none' })
  await answer
  await expect(line).toContainText('done')
  await expect(explanationOf(win)).toContainText('served this call because')
})

test('the first line is the newest call while nothing is read; otherwise new ones only count', async ({
  win,
  program,
}) => {
  await calls(program, 40)
  await expect(win.locator('.call-count')).toHaveText('40 calls')
  const newest = async () => (await program.rpc<{ rows: { id: string }[] }>('calls.page', { limit: 1 })).rows[0]?.id
  await lineAt(win, 0).click()
  await expect(explanationOf(win)).toContainText((await newest()) ?? '')
  await win.keyboard.press('Escape')
  await expect(explanationOf(win)).toHaveCount(0)
  await call(program)
  await expect(win.locator('.call-count')).toHaveText('41 calls')
  await expect(newerOf(win)).toHaveCount(0)

  // Scrolled: what is in sight stays, to the pixel.
  await scrollTo(win, 0.5)
  const line = linesOf(win).filter({ hasText: ':' }).nth(12)
  const place = Number(await line.getAttribute('data-place'))
  const before = [await yOf(lineAt(win, place)), await lineAt(win, place).textContent()]
  await calls(program, 14)
  await expect(newerOf(win)).toHaveText('14 new')
  expect([await yOf(lineAt(win, place)), await lineAt(win, place).textContent()]).toEqual(before)
  await newerOf(win).click()
  await expect(newerOf(win)).toHaveCount(0)
  await expect(win.locator('.call-count')).toHaveText('55 calls')
  await expect(lineAt(win, 0)).toBeFocused()

  // At the top with an explanation open: the same.
  await lineAt(win, 0).click()
  const opened = await newest()
  await expect(explanationOf(win)).toContainText(opened ?? '')
  const top = await yOf(explanationOf(win))
  await call(program)
  await expect(newerOf(win)).toHaveText('1 new')
  await expect(explanationOf(win)).toContainText(opened ?? '')
  expect(await yOf(explanationOf(win))).toBe(top)
})

test('everything by keyboard: into the grid, along it, open, into the explanation, close, filter, sort', async ({
  win,
  program,
}) => {
  await calls(program, 60)
  await expect(win.locator('.call-count')).toHaveText('60 calls')
  await expect(gridOf(win)).toHaveAttribute('aria-rowcount', '61')
  await win.getByRole('searchbox', { name: 'Search calls' }).focus()
  await tabTo(win, 'Export')
  await win.keyboard.press('Tab')
  await win.keyboard.press('Tab')
  await expect(lineAt(win, 0)).toBeFocused()
  await win.keyboard.press('ArrowDown')
  await win.keyboard.press('ArrowDown')
  await win.keyboard.press('ArrowUp')
  await expect(lineAt(win, 1)).toBeFocused()
  await win.keyboard.press('End')
  await expect(lineAt(win, 59)).toBeFocused()
  await expect(lineAt(win, 59)).toBeInViewport()
  await expect(lineAt(win, 59)).toHaveAttribute('aria-rowindex', '61')
  await win.keyboard.press('PageUp')
  await expect(lineAt(win, 59)).not.toBeFocused()
  await win.keyboard.press('Home')
  await expect(lineAt(win, 0)).toBeFocused()
  await win.keyboard.press('PageDown')
  await win.keyboard.press('Enter')
  await expect(explanationOf(win)).toContainText('served this call because')
  const open = win.locator('.call-row.is-open')
  await expect(open).toBeFocused()
  await expect(open.getByRole('button', { name: 'Explain this call' })).toHaveAttribute('aria-expanded', 'true')
  await win.keyboard.press('Tab')
  await expect(explanationOf(win).locator('summary').first()).toBeFocused()
  await win.keyboard.press('Escape')
  await expect(explanationOf(win)).toHaveCount(0)
  await expect(win.locator('.call-row:focus')).toHaveCount(1)
  // Sorting by the only column that can be.
  await win.keyboard.press('Shift+Tab')
  await win.keyboard.press('Enter')
  await expect(win.getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'ascending')
  const { rows } = await program.rpc<{ rows: { id: string }[] }>('calls.page', { limit: 1, offset: 59 })
  await lineAt(win, 0).click()
  await expect(explanationOf(win)).toContainText(rows[0]?.id ?? '')
})

test('filters narrow the log down, one by one and together, and are cleared at once', async ({ win, program }) => {
  await call(program)
  await call(program, 'gpt-5.5-codex')
  await program.rpc('practice.fault', { sourceId: 'codex-team', fault: 'exhaust' })
  await call(program)
  await call(program, 'no-such-model')
  const count = win.locator('.call-count')
  const total = async (filter: object) =>
    (await program.rpc<{ total: number }>('calls.page', { limit: 1, filter })).total
  const all = await total({})
  await expect(count).toHaveText(`${all} calls`)
  const choose = async (label: string | RegExp, option: string) => {
    await win.locator('.call-filters').getByRole('button', { name: label }).click()
    await win.getByRole('option', { name: option, exact: true }).click()
  }
  const expectTotal = async (filter: object) => {
    const wanted = await total(filter)
    expect(wanted).toBeGreaterThan(0)
    expect(wanted).toBeLessThan(all)
    await expect(count).toHaveText(wanted === 1 ? '1 call' : `${wanted} calls`)
  }
  await choose(/Account/, 'Codex, personal')
  await expectTotal({ sourceId: 'codex-personal' })
  await expect(cell(lineAt(win, 0), 'served')).toHaveText('Codex, personal')
  await win.getByRole('button', { name: 'Clear filters' }).click()
  await expect(count).toHaveText(`${all} calls`)
  await choose(/Model/, 'gpt-5.5')
  await expectTotal({ model: 'gpt-5.5' })
  await choose(/Outcome/, 'refused')
  await expect(win.getByText('No call matches')).toBeVisible()
  await win.locator('.empty-state').getByRole('button', { name: 'Clear filters' }).click()
  await expect(count).toHaveText(`${all} calls`)
  await win.getByRole('searchbox', { name: 'Search calls' }).fill('no-such')
  await expectTotal({ text: 'no-such' })
  await win.keyboard.press('Escape')
  await expect(count).toHaveText(`${all} calls`)
  await choose(/Time/, 'Last hour')
  await choose(/Key/, 'default')
  await expect(count).toHaveText(`${all} calls`)
  // Kept while another tab is looked at.
  await win.getByRole('tab', { name: 'Models' }).click()
  await win.getByRole('tab', { name: 'Call log' }).click()
  await expect(win.locator('.call-filters').getByRole('button', { name: /Time/ })).toContainText('Last hour')
})

test('charts draw calls, tokens, cost and quota, and say the same as a table', async ({ win, program }) => {
  await calls(program, 3)
  await win.getByRole('button', { name: 'Charts' }).click()
  const charts = win.getByRole('region', { name: 'Charts' })
  for (const metric of ['Calls', 'Tokens', 'Cost', 'Quota used']) {
    await charts.getByRole('button', { name: /What is charted/ }).click()
    await win.getByRole('option', { name: metric, exact: true }).click()
    await expect(charts.getByRole('img', { name: `${metric}, last 24 hours` })).toBeVisible()
    await expect(charts.locator('canvas')).toBeVisible()
  }
  await charts.getByRole('button', { name: /What is charted/ }).click()
  await win.getByRole('option', { name: 'Calls', exact: true }).click()
  await charts.getByRole('button', { name: 'As a table' }).click()
  const table = charts.getByRole('table', { name: 'Calls, last 24 hours' })
  await expect(table.getByRole('row')).toHaveCount(25)
  const { total } = await program.rpc<{ total: number }>('calls.page', { limit: 1 })
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText(String(total))
})

test.describe('before the first call', () => {
  test.use({ programOptions: { practice: false, args: ['--vault', 'memory'] } })

  test('it says how to make one, and shows it', async ({ win, program }) => {
    await expect(win.getByText('No call yet')).toBeVisible()
    await expect(win.locator('.call-command')).toContainText(`curl -N ${program.address}/v1/responses`)
    await expect(win.getByText('pointsman connect claude')).toBeVisible()
    await expect(win.locator('.figure dd')).toHaveText(['0', '–', '0', '–'])
    await call(program)
    await expect(lineAt(win, 0)).toContainText('refused')
    await expect(cell(lineAt(win, 0), 'served')).toHaveText('none')
  })
})

test('it goes on by itself in a second window', async ({ win, program, context }) => {
  const other = await context.newPage()
  await openWindow(other, program, 'Call log')
  await call(program)
  for (const page of [win, other]) await expect(lineAt(page, 0)).toContainText('Codex, team')
})
