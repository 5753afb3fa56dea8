/** Launch at login: the system's own list on macOS and Windows, an autostart file on Linux. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { autostartFile, hiddenFlag } from './autostart.ts'
import type { Platform } from './tray-menu.ts'

export interface LoginItem {
  readonly platform: Platform
  /** The program to start. */
  readonly program: string
  readonly autostartFolder: string
}

/** Touches nothing that is as wanted already. */
export function setLoginItem(isWanted: boolean, { platform, program, autostartFolder }: LoginItem): void {
  if (platform === 'linux') {
    setAutostart(isWanted, join(autostartFolder, 'pointsman.desktop'), program)
    return
  }
  const args = [hiddenFlag]
  if (app.getLoginItemSettings({ args }).openAtLogin !== isWanted)
    app.setLoginItemSettings({ openAtLogin: isWanted, args })
}

function setAutostart(isWanted: boolean, path: string, program: string): void {
  if (!isWanted) {
    rmSync(path, { force: true })
    return
  }
  const text = autostartFile(program)
  if (contentOf(path) === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
