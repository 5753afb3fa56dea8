/** What the specs of the Models tab have in common: a pool's rows, conversations over HTTP, steps of a drag. */
import { expect, type Locator, type Page } from '@playwright/test'
import { codexCli, response } from '../program/asks.ts'
import type { Program } from '../program/run-program.ts'

export const model = 'gpt-5.5'
/** As practice mode begins. */
export const team = 'Codex, team'
export const personal = 'Codex, personal'
export const key = 'OpenAI key'
export const line = '—'

export const poolOf = (page: Page, name = model): Locator => page.getByRole('article', { name, exact: true })

/** Scrolled to: only what is near is drawn in full. */
export async function showPool(page: Page, name = model): Promise<Locator> {
  const pool = poolOf(page, name)
  // Into the middle, so that the mouse reaches all of it.
  await pool.evaluate((article) => article.scrollIntoView({ block: 'center' }))
  await pool.locator('.backend-row').first().waitFor()
  return pool
}

/** Names of the backends from top to bottom, a dash for each divider. */
export const orderOf = (pool: Locator): Promise<readonly string[]> =>
  pool
    .locator('.backend-row, .divider-row')
    .evaluateAll((rows, dash) => rows.map((row) => row.querySelector('.row-source')?.textContent ?? dash), line)

export const expectOrder = (pool: Locator, ...names: readonly string[]) =>
  expect.poll(() => orderOf(pool)).toEqual(names)

export const rowOf = (pool: Locator, name: string): Locator =>
  pool.getByRole('row').filter({ has: pool.page().locator('.row-source', { hasText: name }) })

export async function pick(page: Page, pool: Locator, name: string, item: string): Promise<void> {
  await rowOf(pool, name)
    .getByRole('button', { name: `More actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export async function chooseStrategy(page: Page, pool: Locator, name: string | RegExp): Promise<void> {
  await pool.getByRole('button', { name: /Strategy of/ }).click()
  await page.getByRole('option', { name }).click()
}

/** With the mouse, by its handle, to the upper or lower edge of another row (stack-notes §4). */
export async function dragTo(page: Page, row: Locator, target: Locator, side: 'above' | 'below'): Promise<void> {
  const from = await boxOf(row.getByRole('button', { name: /^Drag / }))
  const to = await boxOf(target)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 6, from.y + from.height / 2 + 6, { steps: 3 })
  const edge = side === 'above' ? to.y + 3 : to.y + to.height - 3
  await page.mouse.move(to.x + to.width / 3, edge, { steps: 12 })
  await page.locator('[data-drop-target]').first().waitFor({ state: 'attached' })
  await page.mouse.up()
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('nothing to take hold of')
  return box
}

export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

/** One turn of a Codex conversation; who served it. */
export async function say(program: Program, conversation: string): Promise<string> {
  const answer = await fetch(`${program.address}/codex/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${program.key()}`,
      'content-type': 'application/json',
      ...codexCli(conversation).headers,
    },
    body: JSON.stringify(response({ model })),
  })
  await answer.text()
  expect(answer.status).toBe(200)
  const { rows } = await program.rpc<{ readonly rows: readonly { readonly sourceLabel: string }[] }>('calls.page', {
    limit: 1,
    offset: 0,
  })
  return rows[0]?.sourceLabel ?? ''
}

interface PoolFacts {
  readonly id: string
  readonly revision: number
  readonly strategy: string
  readonly tiers: readonly (readonly {
    readonly backendId: string
    readonly enabled: boolean
    readonly weight: number
  }[])[]
}

export async function storedPool(program: Program, id = model): Promise<PoolFacts> {
  const pools = await program.rpc<readonly PoolFacts[]>('models.pools')
  const found = pools.find((pool) => pool.id === id)
  if (found === undefined) throw new Error(`no pool ${id}`)
  return found
}
