/** Translation in the Models tab: the badge of a backend that speaks another dialect, and the list of what that loses. */
import { expectNoViolations } from './axe.ts'
import { key, pick, rowOf, showPool, team } from './models-kit.ts'
import { choose, expect, test } from './window.ts'

test.use({ tab: 'Models' })

const chatOnly = 'Chat host'

async function addChatHost(program: { rpc<T>(member: string, input: object): Promise<T> }): Promise<void> {
  const profiles = await program.rpc<{ id: string; baseUrl: string }[]>('profiles.list', {})
  const baseUrl = profiles.find(({ id }) => id === 'openai-key')?.baseUrl
  await program.rpc('profiles.create', {
    kind: 'api',
    label: chatOnly,
    dialects: ['chat'],
    baseUrl,
    apiKey: 'sk-practice-openai-key',
    models: [{ id: 'gpt-5.5' }],
    joins: ['codex'],
  })
}

for (const look of ['light', 'dark', 'zh'] as const) {
  test(`a backend that speaks another dialect says so and lists its losses, in ${look}`, async ({
    win,
    program,
  }, info) => {
    await addChatHost(program)
    const isChinese = look === 'zh'
    await choose(win, isChinese ? { language: 'zh' } : { theme: look })
    const pool = await showPool(win)
    const badge = isChinese ? '经转换' : 'translated'
    await expect(rowOf(pool, chatOnly)).toContainText(badge)
    await expect(rowOf(pool, team)).not.toContainText(badge)
    await win.screenshot({ path: info.outputPath('rows.png') })
    await rowOf(pool, chatOnly).locator('.button-icon').last().click()
    await win.getByRole('menuitem', { name: isChinese ? '接口与损失…' : 'Dialects and losses…' }).click()
    const part = win
      .getByRole('dialog')
      .getByRole('region', { name: /Messages/ })
      .first()
    await expect(part).toContainText('top_k')
    await expect(win.getByRole('dialog')).toContainText(look === 'zh' ? '没有损失' : 'nothing is lost')
    await win.screenshot({ path: info.outputPath('losses.png') })
    await expectNoViolations(win)
  })
}

test('what would be left out is refused for one model, and the list says so', async ({ win, program }) => {
  await addChatHost(program)
  const pool = await showPool(win)
  await pick(win, pool, chatOnly, 'Dialects and losses…')
  const dialog = win.getByRole('dialog')
  const topK = dialog.getByRole('row').filter({ hasText: 'top_k' })
  await expect(topK).toContainText('left out')
  await dialog.getByRole('button', { name: /What a translation would leave out/ }).click()
  await win.getByRole('option', { name: /^Refused/ }).click()
  await expect(topK.getByRole('cell').first()).toHaveText('refused')
  const stored = await program.rpc<{ id: string; strict: boolean | null }[]>('models.pools')
  expect(stored.find(({ id }) => id === 'gpt-5.5')?.strict).toBe(true)
})

test('a test of a key says that a tool call came through', async ({ win }) => {
  const pool = await showPool(win)
  await pick(win, pool, key, 'Test')
  await expect(rowOf(pool, key)).toContainText('answered as gpt-5.5')
})
