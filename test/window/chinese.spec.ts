/** A window in Chinese shows no English sentence, wherever the program's own words appear; and its forms fit. */
import type { Page } from '@playwright/test'
import type { Program } from '../program/run-program.ts'
import { call, choose, expect, test } from './window.ts'

test.use({ tab: null })

/** Three English words in a row, outside of names, models and commands. */
const englishIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const box = document.body.cloneNode(true) as HTMLElement
    for (const part of box.querySelectorAll('bdi, code, pre, script, style, svg')) part.remove()
    const texts: string[] = []
    const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    for (let at = walk.nextNode(); at !== null; at = walk.nextNode()) texts.push(at.textContent ?? '')
    const spoken = [...box.querySelectorAll('[aria-label], [title]')].flatMap((element) => [
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('title') ?? '',
    ])
    const names = /Claude Code|Codex CLI|Chat Completions|OpenAI key|Anthropic key|practice device/gi
    return [...new Set([...texts, ...spoken])].filter((text) =>
      /\b[A-Za-z’]{2,} [a-z’]{2,} [a-z’]{2,}/.test(text.replace(names, '')),
    )
  })

const fitsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

async function expectChinese(page: Page): Promise<void> {
  expect(await englishIn(page)).toEqual([])
  expect(await fitsSideways(page)).toBe(true)
}

async function inChinese(page: Page, tab: string): Promise<void> {
  await choose(page, { language: 'zh' })
  await page.getByRole('tab', { name: tab }).click()
}

/** An account rests, one is spent, one is signed out; a call failed over, one was refused, one was unknown. */
async function trouble(program: Program): Promise<void> {
  const fault = (sourceId: string, kind: string) => program.rpc('practice.fault', { sourceId, fault: kind })
  await call(program)
  await fault('codex-team', 'overload')
  await call(program)
  await fault('codex-team', 'exhaust')
  await call(program)
  await call(program, 'no-such-model')
  await fault('codex-personal', 'exhaust')
  await fault('openai-key', 'overload')
  await call(program)
  await program.rpc('profiles.update', { id: 'openai-key', active: false })
  await call(program)
  await program.rpc('accounts.signOut', { id: 'claude-personal' })
}

test('accounts, models and every call after some trouble', async ({ win, program }) => {
  await trouble(program)
  await inChinese(win, '账号')
  await win.getByText('已退出登录', { exact: false }).first().waitFor()
  await expectChinese(win)
  await win.getByRole('tab', { name: '模型' }).click()
  await win.locator('.backend-row').first().waitFor()
  await expectChinese(win)
  await win.getByRole('tab', { name: '调用记录' }).click()
  const lines = win.locator('.call-row')
  await lines.nth(5).waitFor()
  for (let place = 0; place < 6; place += 1) {
    await win.locator(`.call-row[data-place="${place}"]`).click()
    const explanation = win.locator('.explanation')
    await explanation.locator('.facts').waitFor()
    for (const folded of await explanation.locator('summary').all()) await folded.click()
    await expectChinese(win)
    await win.keyboard.press('Escape')
  }
})

test('every dialog, and what the program answers to a wrong entry', async ({ win, program }) => {
  await call(program)
  await inChinese(win, '账号')
  const dialog = win.getByRole('dialog')
  const close = async (): Promise<void> => {
    await win.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  for (const name of ['添加账号', '添加配置', '添加本地模型', '创建密钥', '新建预算', '设置']) {
    await win.getByRole('button', { name, exact: true }).first().click()
    await dialog.waitFor()
    await expectChinese(win)
    await close()
  }
  await win.getByRole('button', { name: '添加配置', exact: true }).click()
  await dialog.getByLabel('名称', { exact: true }).fill('错误')
  await dialog.getByLabel('基础地址').fill('http://example.invalid')
  await dialog.getByLabel('API 密钥').fill('sk-x')
  await dialog.getByLabel('模型', { exact: true }).fill('m')
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('输入无效：')
  await expectChinese(win)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await win.getByRole('tab', { name: '模型' }).click()
  for (const name of ['展望', '会话', '新建路由规则']) {
    await win.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor()
    await expectChinese(win)
    for (const part of await dialog.getByRole('tab').all()) {
      await part.click()
      await expectChinese(win)
    }
    const rehearse = dialog.getByRole('button', { name: '预演', exact: true })
    if ((await rehearse.count()) > 0) {
      await rehearse.click()
      await dialog.locator('.rehearsal-result').waitFor()
      await expectChinese(win)
    }
    await close()
  }
})
