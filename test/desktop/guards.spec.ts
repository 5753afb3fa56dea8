/** The window stays on its page, and only its page reaches the program; each guard with a negative control. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, notElectron, test } from './fixture.ts'

let foreign: Server
let foreignAddress = ''
const seen: string[] = []

test.beforeAll(async () => {
  foreign = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Foreign</title>')
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  foreignAddress = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
})

test.afterAll(() => {
  foreign.close()
})

test.beforeEach(() => {
  seen.length = 0
})

/** Follows a link as a click would; the page's own policy has no say in navigations. */
const follow = (page: Page, address: string): Promise<void> =>
  page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href, textContent: 'out' })
    document.body.append(link)
    link.click()
    link.remove()
  }, address)

/** Hands a port over as our page does, asks for the snapshot, and waits for an answer or for `boundMs`. */
const askOverPort = (page: Page, boundMs: number): Promise<string | null> =>
  page.evaluate(
    (bound) =>
      new Promise<string | null>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(String(data))
        window.postMessage('pointsman:port', location.origin, [port2])
        port1.postMessage(JSON.stringify({ i: '1', p: { u: '/app/snapshot' } }))
        setTimeout(() => resolve(null), bound)
      }),
    boundMs,
  )

test.describe(notElectron, () => {
  test('T4.2 a link out of the window is asked about, opened only when confirmed, and never followed', async ({
    desktop,
  }) => {
    const { win, act } = desktop
    await follow(win, 'https://example.com/terms')
    await expect.poll(async () => (await act('state')).dialogs.length).toBe(1)
    expect((await act('state')).dialogs[0]).toEqual({
      message: 'Open this address in your browser?',
      detail: 'example.com\n\nhttps://example.com/terms',
      buttons: ['Open', 'Cancel'],
    })
    expect((await act('state')).opened).toEqual([])
    await act('answer', 0)
    await follow(win, 'https://example.com/privacy')
    await expect.poll(async () => (await act('state')).opened).toEqual(['https://example.com/privacy'])
    await expect(win.getByRole('heading', { name: 'Pointsman' })).toBeVisible()
    expect(win.url()).toBe('https://pointsman.app.test/')
  })

  test('T4.2 other schemes, plain http and other pages of the scheme are neither followed nor opened', async ({
    desktop,
  }) => {
    const { win, act } = desktop
    const addresses = [foreignAddress, 'https://other.app.test/', 'https://pointsman.app.test/other.html']
    for (const address of addresses) await follow(win, address)
    // In the order of the clicks: once the last one has been asked about, the others have been decided.
    await follow(win, 'https://example.com/last')
    await expect.poll(async () => (await act('state')).dialogs.length).toBe(1)
    expect([seen, (await act('state')).opened, win.url()]).toEqual([[], [], 'https://pointsman.app.test/'])
  })

  test('no second window opens', async ({ desktop }) => {
    const { win, act } = desktop
    await win.evaluate((address) => window.open(address), foreignAddress)
    await win.evaluate(() => window.open('https://example.com/popup'))
    await expect
      .poll(async () => (await act('state')).dialogs.map(({ detail }) => detail))
      .toEqual(['example.com\n\nhttps://example.com/popup'])
    // That nothing of it is loaded first can't be shown here: the stand-in closes a window that has begun already.
    await expect.poll(() => win.context().pages().length).toBe(1)
  })

  test('a reload keeps the window: the new page hands over a new port and goes on', async ({ desktop }) => {
    await desktop.win.reload()
    await expect(desktop.win.getByRole('button', { name: 'Routing. Pause routing' })).toBeVisible()
    await desktop.act('press', 'Pause routing')
    await expect(desktop.win.getByRole('button', { name: 'Paused. Resume routing' })).toBeVisible()
  })

  test('T4.3 the page can reach nothing but its own files', async ({ desktop }) => {
    const reached = await desktop.win.evaluate(
      (address) =>
        fetch(address, { mode: 'no-cors' }).then(
          () => true,
          () => false,
        ),
      foreignAddress,
    )
    expect([reached, seen]).toEqual([false, []])
  })

  test('T4.4 control: our own page gets an answer over a port', async ({ desktop }) => {
    expect(await askOverPort(desktop.win, 5_000)).toContain('"practice":true')
    expect(desktop.log()).not.toContain('port-refused')
  })
})

test.describe(`T4.2 T4.4 negative control, navigation guards off: ${notElectron}`, () => {
  test.use({ desktopOptions: { environment: { STAND_IN_GUARDS: 'off' } } })

  test('T4.4 without the guards the page leaves, and main still refuses the port of a foreign page', async ({
    desktop,
  }) => {
    const { win } = desktop
    await follow(win, `${foreignAddress}/left`)
    await expect.poll(() => win.title()).toBe('Foreign')
    expect(await askOverPort(win, 1_000)).toBeNull()
    expect(desktop.log()).toContain('port-refused')
    expect(desktop.log()).toContain(foreignAddress)
  })
})
