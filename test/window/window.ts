/**
 * The fixture of the window's specs: the built program in practice mode, and its window in a browser. With
 * `POINTSMAN_SHELL` it is the desktop app's window instead, on the stand-in or a real Electron; specs that are about
 * the browser carry `@browser` and are left out there.
 */
import { test as base, expect, type Page } from '@playwright/test'
import { type Desktop, type Shell, startDesktop } from '../desktop/desktop.ts'
import { type Program, type ProgramOptions, startProgram } from '../program/run-program.ts'

export { expect }

export type TabName = 'Profiles' | 'Models' | 'Call log'

export interface Fixtures {
  /** What the program is started with; a spec may set it with `test.use`. */
  readonly programOptions: ProgramOptions
  readonly program: Program
  /** The tab that a spec begins on; null: the one that the window chooses. */
  readonly tab: TabName | null
  /** The window, opened by a fresh link, with its first tab ready. */
  readonly win: Page
  /** Errors and warnings of the page's console so far; specs end with none. */
  readonly complaints: string[]
}

/** Null: the headless program's window, in a browser. */
export const shell: Shell | null = shellOf(process.env.POINTSMAN_SHELL ?? '')

function shellOf(name: string): Shell | null {
  if (name === '') return null
  if (name === 'stand-in' || name === 'electron') return name
  throw new Error(`POINTSMAN_SHELL may be stand-in or electron, not ${name}`)
}

type Common = Pick<Fixtures, 'programOptions' | 'tab' | 'complaints'>

const common = base.extend<Common>({
  programOptions: [{}, { option: true }],
  tab: ['Profiles', { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
  complaints: async ({}, use) => {
    const complaints: string[] = []
    await use(complaints)
    expect(complaints).toEqual([])
  },
})

const inBrowser = common.extend<Pick<Fixtures, 'program' | 'win'>>({
  program: async ({ programOptions }, use) => {
    const program = await startProgram({ window: true, ...programOptions })
    await use(program)
    await program.stop()
  },
  win: async ({ page, program, complaints, tab }, use) => {
    watch(page, complaints)
    await openWindow(page, program, tab)
    await use(page)
  },
})

/** No browser is launched for these: the app brings its own. */
const onDesktop = common.extend<Pick<Fixtures, 'program' | 'win'>>({
  program: async ({ programOptions: { args = [], practice = true } }, use) => {
    const program = await startDesktop({ shell: shell ?? 'stand-in', args, practice })
    await use(program)
    await program.stop()
  },
  win: async ({ program, complaints, tab }, use) => {
    const { win } = program as Desktop
    watch(win, complaints)
    await openWindow(win, program, tab)
    await use(win)
  },
})

export const test = (shell === null ? inBrowser : onDesktop) as typeof inBrowser

/** Anything that the policy refused, a missing key or an uncaught error shows up here. */
export function watch(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    // A lost connection is said by the browser itself; specs that cut it look at the banner.
    if (isComplaint && !/WebSocket connection|ERR_CONNECTION_REFUSED/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
}

export async function openWindow(page: Page, program: Program, tab: TabName | null = 'Profiles'): Promise<void> {
  // The desktop app's window is open already.
  if (shell === null) await page.goto((await program.rpc<{ url: string }>('app.openLink', {})).url)
  await page.getByRole('tab').first().waitFor()
  if (tab !== null) await page.getByRole('tab', { name: tab }).click()
}

/** Before the page is loaded or before a reload: the choices that the window keeps in the browser. */
export async function choose(page: Page, choices: { theme?: string; language?: string }): Promise<void> {
  await page.evaluate((stored) => localStorage.setItem('pointsman.choices', stored), JSON.stringify(choices))
  await page.reload()
  await page.getByRole('tab').first().waitFor()
}

/** Presses a key until what has the focus has this name: the way there is part of what is tested. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab', most = 60): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press(key)
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  throw new Error(`${String(name)} was not reached by ${most} presses of ${key}`)
}

/** One call of a client that needs no particular vendor program; the whole answer as text. */
export async function call(program: Program, model = 'gpt-5.5'): Promise<string> {
  const answer = await fetch(`${program.address}/codex/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      instructions: 'Answer in one sentence.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      stream: true,
      store: false,
    }),
  })
  return answer.text()
}

/** Breaks an account in the practice panel and waits until the program has it so: the panel shows it at once. */
export async function breakAccount(win: Page, label: string, fault: string): Promise<void> {
  await win.getByRole('button', { name: `Fault of ${label}` }).click()
  await win.getByRole('option', { name: fault }).click()
  await expect(win.getByText(`${label}: ${fault}.`, { exact: true })).toBeAttached()
}
