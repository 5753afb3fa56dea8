/** Claude Code's small model is given to a backend in the window, and taken back. */
import { expectNoViolations } from './axe.ts'
import { choose, expect, test } from './window.ts'

for (const look of ['light', 'zh'] as const) {
  test(`a backend is chosen for Claude Code’s small model, in ${look}`, async ({ win, program }, info) => {
    await choose(win, look === 'zh' ? { language: 'zh' } : { theme: look })
    const card = win.getByRole('article', { name: 'Claude Code', exact: true })
    const small = card.getByRole('button', { name: look === 'zh' ? /小而快/ : /Small, fast model/ })
    await small.scrollIntoViewIfNeeded()
    await small.click()
    await win
      .getByRole('option', { name: /^Ollama/ })
      .first()
      .click()
    await expect(small).toContainText('Ollama')
    await expect.poll(() => program.rpc('clients.smallModel')).toEqual({ backendId: expect.stringMatching(/^ollama:/) })
    await expectNoViolations(win)
    await win.screenshot({ path: info.outputPath('small.png') })
    await small.click()
    await win.getByRole('option', { name: look === 'zh' ? /按 Claude Code/ : /As Claude Code/ }).click()
    await expect.poll(() => program.rpc('clients.smallModel')).toEqual({ backendId: null })
  })
}
