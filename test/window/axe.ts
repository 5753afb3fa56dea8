/** axe-core on what is shown now; the policy of the window stays on, so it runs from outside the page's own scripts. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export async function expectNoViolations(page: Page): Promise<void> {
  // Half-faded colours are no colours.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }))
  expect(found).toEqual([])
}
