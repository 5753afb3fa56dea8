/** The Models tab against a living program: first run, faults, two windows, a restart, and what the menus change. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPractice } from '../../src/main/practice/practice.ts'
import { startProgram } from '../program/run-program.ts'
import {
  chooseStrategy,
  expectOrder,
  key,
  line,
  model,
  personal,
  pick,
  poolOf,
  rowOf,
  say,
  showPool,
  storedPool,
  team,
} from './models-kit.ts'
import { breakAccount, expect, openWindow, test, watch } from './window.ts'

test.use({ tab: 'Models' })

test.describe('from nothing', () => {
  test.use({ programOptions: { practice: false, args: ['--vault', 'memory'] } })

  test('first run to first routed call: empty, the first source, its models, a call that it serves', async ({
    win,
    program,
  }) => {
    const practice = await startPractice({
      clock: { nowMs: Date.now, elapsedMs: () => performance.now(), after: () => () => {} },
    })
    const ollama = practice.seeds.sources.find(({ id }) => id === 'ollama')
    if (ollama === undefined || ollama.type === 'subscription') throw new Error('no local practice source')
    await expect(win.getByText('No model yet')).toBeVisible()
    await win.getByRole('button', { name: 'Go to Profiles' }).click()
    await win.getByRole('button', { name: 'Add local provider' }).click()
    await win.getByRole('textbox', { name: 'Name' }).fill('This machine')
    await win.getByRole('textbox', { name: 'Base URL' }).fill(ollama.baseUrl)
    await win.getByRole('button', { name: 'Read the list' }).click()
    await expect(win.getByRole('textbox', { name: 'Models' })).toHaveValue(/gpt-oss:20b/)
    await win.getByRole('button', { name: 'Add', exact: true }).click()
    await win.getByRole('tab', { name: 'Models' }).click()
    const pool = await showPool(win, 'gpt-oss:20b')
    await expect(rowOf(pool, 'This machine')).toContainText('would serve now')
    await expect(rowOf(pool, 'This machine')).toContainText('Free')
    const answer = await fetch(`${program.address}/any/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${program.key()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-oss:20b', messages: [{ role: 'user', content: 'hello' }] }),
    })
    expect([answer.status, typeof (await answer.json()).choices[0].message.content]).toEqual([200, 'string'])
    await practice.close()
  })
})

test('a fault moves the next call on, and the row says what rests, why and until when', async ({ win, program }) => {
  await win.getByRole('searchbox', { name: 'Find a model' }).fill('gpt-5.5')
  const pool = await showPool(win)
  await win.getByRole('button', { name: 'Try a fault' }).click()
  await breakAccount(win, 'Codex, team', 'Quota used up')
  expect(await say(program, 'after-the-fault')).toBe(personal)
  await expect(rowOf(pool, team)).toContainText('used up')
  await expect(rowOf(pool, team)).toContainText(/5-hour window spent, back (in \d+ min|\d\d:\d\d)/)
  await expect(rowOf(pool, personal)).toContainText('would serve now')
  await expect(rowOf(pool, key)).toContainText('next, if that fails')

  await breakAccount(win, 'Codex, personal', 'Login revoked')
  expect(await say(program, 'after-the-second')).toBe(key)
  await expect(rowOf(pool, personal)).toContainText('skipped')
  await expect(rowOf(pool, personal)).toContainText(/Signed out/)
  await expect(rowOf(pool, key)).toContainText('would serve now')
})

test('an order made in one window appears in the other', async ({ win, program, context }) => {
  const other = await context.newPage()
  await openWindow(other, program, 'Models')
  await expectOrder(await showPool(other), team, personal, line, key)
  await pick(win, await showPool(win), key, 'Move to top')
  await expectOrder(await showPool(other), key, team, personal)
})

test('a change that the other window could not know of: theirs is shown, mine is one press away', async ({
  page,
  program,
  context,
  complaints,
}) => {
  watch(page, complaints)
  let isDeaf = false
  const held: (string | Buffer)[] = []
  let release: () => void = () => {}
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (isDeaf) held.push(message)
      else socket.send(message)
    })
    release = () => {
      isDeaf = false
      for (const message of held.splice(0)) socket.send(message)
    }
  })
  await openWindow(page, program, 'Models')
  const mine = await showPool(page)
  await expectOrder(mine, team, personal, line, key)
  const other = await context.newPage()
  await openWindow(other, program, 'Models')

  isDeaf = true
  await pick(other, await showPool(other), key, 'Move to top')
  await expectOrder(await showPool(other), key, team, personal)
  await expect.poll(async () => (await storedPool(program)).revision).toBe(2)
  await pick(page, mine, personal, 'Move up')
  await expectOrder(mine, personal, team, line, key)
  release()
  await expect(mine.getByRole('alert')).toContainText('changed in another window')
  await expectOrder(mine, key, team, personal)
  await mine.getByRole('button', { name: 'Redo mine' }).click()
  await expectOrder(mine, personal, team, line, key)
  await expect(mine.getByRole('alert')).toHaveCount(0)
  await expectOrder(await showPool(other), personal, team, line, key)
})

test('the order is still there, and can be changed again, after the program was restarted', async ({
  page,
  complaints,
}) => {
  watch(page, complaints)
  const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-models-'))
  const first = await startProgram({ dataDir, window: true })
  const link = first.ready.ui ?? ''
  await page.goto(link)
  await page.getByRole('tab', { name: 'Models' }).click()
  const pool = await showPool(page)
  await pick(page, pool, personal, 'Move up')
  await expectOrder(pool, personal, team, line, key)
  await expect(page.getByText('Codex, personal moved to 1 of 3.')).toBeVisible()
  await first.stop()
  await expect(page.getByText('The connection to Pointsman is lost.')).toBeVisible()
  await expectOrder(pool, personal, team, line, key)
  const second = await startProgram({ dataDir, window: true, args: ['--ui-port', new URL(link).port] })
  await expect(page.getByText('The connection to Pointsman is lost.')).toHaveCount(0)
  await expectOrder(pool, personal, team, line, key)
  expect(await say(second, 'after-the-restart')).toBe(personal)
  await pick(page, pool, key, 'Move to top')
  await page.getByRole('button', { name: 'Let it go first' }).click()
  await expectOrder(pool, key, personal, team)
  await expect.poll(async () => (await storedPool(second)).tiers[0]?.[0]?.backendId).toBe(`openai-key:${model}`)
  await second.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('disables and enables a backend here alone; a disabled one stays readable and is never asked', async ({
  win,
  program,
}) => {
  const pool = await showPool(win)
  await pick(win, pool, team, 'Disable')
  await expect(rowOf(pool, team)).toContainText('Switched off')
  await expect(rowOf(pool, personal)).toContainText('would serve now')
  await expect(rowOf(await showPool(win, 'gpt-6-luna'), team)).toContainText('would serve now')
  expect(await say(program, 'without-team')).toBe(personal)
  await pick(win, pool, team, 'Enable')
  await expect(rowOf(pool, team)).toContainText('would serve now')
})

test('sets weight and aliases, and refuses a weight out of range', async ({ win, program }) => {
  const pool = await showPool(win)
  await pick(win, pool, key, 'Weight and aliases…')
  const dialog = win.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Weight' }).fill('0')
  await expect(dialog).toContainText('Enter a whole number from 1 to 1,000.')
  await dialog.getByRole('textbox', { name: 'Weight' }).fill('7')
  await dialog.getByRole('textbox', { name: 'Aliases' }).fill('my-model\n\nmy-model')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const [, [stored] = []] = (await storedPool(program)).tiers
  expect(stored).toMatchObject({ weight: 7, aliases: ['my-model'] })
  await expectOrder(await showPool(win, 'my-model'), key)
})

test('tests a backend and says on its row what came of it', async ({ win, program }) => {
  const pool = await showPool(win)
  const before = await calls(program)
  await pick(win, pool, team, 'Test')
  await expect(rowOf(pool, team)).toContainText(/Codex, team answered and lists gpt-5\.5, answered in [\d,]+ ms/)
  await pick(win, pool, key, 'Test')
  await expect(rowOf(pool, key)).toContainText(/OpenAI key answered as gpt-5\.5, answered in [\d,]+ ms/)
  await rowOf(pool, key).getByRole('button', { name: 'Close' }).click()
  await expect(rowOf(pool, key)).not.toContainText('answered as')
  // None of it is a call of the person's.
  expect(await calls(program)).toBe(before)
})

test('copies the model id of a pool and of a row', async ({ win, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => win.evaluate(() => navigator.clipboard.readText())
  const pool = await showPool(win)
  await pool.getByRole('button', { name: `Copy model id ${model}` }).click()
  expect(await copied()).toBe(model)
  await win.evaluate(() => navigator.clipboard.writeText(''))
  await pick(win, pool, team, 'Copy model id')
  await expect.poll(copied).toBe(model)
})

test('a strategy, its options and the default are chosen per model, each with its sentence', async ({
  win,
  program,
}) => {
  const pool = await showPool(win)
  await pool.getByRole('button', { name: /Strategy of/ }).click()
  await expect(win.getByRole('option')).toHaveCount(14)
  await expect(win.getByRole('option', { name: /^By weight/ })).toContainText('Spreads requests')
  await win.keyboard.press('Escape')
  await chooseStrategy(win, pool, /^Balanced/)
  await pool.getByRole('button', { name: 'Options of the strategy' }).click()
  const limit = win.getByRole('textbox', { name: 'Soft limit of the 5 hours, %' })
  await expect(limit).toHaveValue('80')
  await limit.fill('60')
  await win.getByRole('button', { name: 'Save' }).click()
  await expect(win.getByRole('dialog')).toHaveCount(0)
  expect(await storedPool(program)).toMatchObject({
    strategy: 'balanced',
    strategyOptions: { fiveHourSoftLimit: 60 },
  })
  await chooseStrategy(win, pool, /^Default/)
  await expect.poll(async () => (await storedPool(program)).strategy).toBe('ordered')
})

test('finds models by their name, source or alias, and says so when nothing is found', async ({ win }) => {
  await win.getByRole('searchbox', { name: 'Find a model' }).fill('OLLAMA')
  await expect(win.getByRole('article')).toHaveCount(2)
  await win.getByRole('searchbox', { name: 'Find a model' }).fill('nowhere')
  await expect(win.getByText('No model, source or alias has “nowhere” in its name.')).toBeVisible()
  await win.getByRole('button', { name: 'Show all' }).click()
  await expect(poolOf(win)).toHaveCount(1)
})

async function calls(program: Parameters<typeof say>[0]): Promise<number> {
  return (await program.rpc<{ total: number }>('calls.page', { limit: 1, offset: 0 })).total
}
