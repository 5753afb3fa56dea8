/** The stand-in's `app` and `powerMonitor`. */
import { EventEmitter } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { chromium } from './chromium.ts'

class App extends EventEmitter {
  readonly isPackaged = false
  #name = 'stand-in'
  readonly #paths = new Map<string, string>()
  #ready: Promise<void> | null = null
  #isReady = false

  setName(name: string): void {
    this.#name = name
  }

  getName(): string {
    return this.#name
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    return this.#paths.get(name) ?? ''
  }

  enableSandbox(): void {}

  isReady(): boolean {
    return this.#isReady
  }

  /** Electron decides at once and so must this: the socket's file tells of a first instance, which is then called. */
  requestSingleInstanceLock(): boolean {
    const path = join(this.getPath('userData'), 'single')
    const first = claim(path)
    if (first) {
      createServer((socket) => {
        socket.resume()
        this.emit('second-instance', {}, [], '')
      })
        .listen(path)
        .unref()
    } else connect(path).end()
    return first
  }

  whenReady(): Promise<void> {
    this.#ready ??= chromium.launch(join(this.getPath('userData'), 'chromium')).then(() => {
      this.#isReady = true
    })
    return this.#ready
  }

  quit(): void {
    let isPrevented = false
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) })
    if (!isPrevented) this.exit(0)
  }

  exit(code = 0): void {
    rmSync(join(this.getPath('userData'), 'single'), { force: true })
    void chromium.close().finally(() => process.exit(code))
  }

  getPreferredSystemLanguages(): string[] {
    return [process.env.STAND_IN_LANGUAGE ?? 'en-GB']
  }

  getLoginItemSettings(): { openAtLogin: boolean } {
    return { openAtLogin: false }
  }

  setLoginItemSettings(): void {}
}

/** True for the first: its claim file names a process that lives. */
function claim(path: string): boolean {
  const owner = `${path}.pid`
  try {
    writeOnce(owner)
    rmSync(path, { force: true })
    return true
  } catch {
    if (isAlive(owner)) return false
    rmSync(owner, { force: true })
    return claim(path)
  }
}

function writeOnce(path: string): void {
  writeFileSync(path, String(process.pid), { flag: 'wx' })
}

function isAlive(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

export const app = new App()
export const powerMonitor = new EventEmitter()
