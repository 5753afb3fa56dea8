/** Whether this desktop shows tray icons at all: some GNOME doesn't, and a hidden window would be out of reach. */
import { execFile } from 'node:child_process'
import type { Platform } from './tray-menu.ts'

const longestMs = 1_000
const watcher = 'org.kde.StatusNotifierWatcher'
const question = [
  ['call', '--session', '--dest', watcher, '--object-path', '/StatusNotifierWatcher'],
  ['--method', 'org.freedesktop.DBus.Properties.Get', watcher, 'IsStatusNotifierHostRegistered'],
].flat()

/** Asked each time that it matters, since an extension may come and go. No answer counts as no. */
export function hasTrayHost(platform: Platform): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true)
  return new Promise((resolve) => {
    execFile('gdbus', question, { timeout: longestMs, killSignal: 'SIGKILL' }, (error, answer) =>
      resolve(error === null && answer.includes('true')),
    )
  })
}
