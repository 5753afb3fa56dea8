/** How other commands find the running program: a small file in the data folder that names its control socket. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Instance {
  readonly pid: number
  readonly version: string
  readonly address: string
  /** Path of the socket, or name of the pipe. */
  readonly control: string
}

const pathOf = (dataDir: string): string => join(dataDir, 'instance.json')

/** Only the owner of the folder's lock may call this. */
export function writeInstance(dataDir: string, instance: Instance): void {
  // A fresh file each time: never through a link that somebody left there.
  rmSync(pathOf(dataDir), { force: true })
  writeFileSync(pathOf(dataDir), `${JSON.stringify(instance)}\n`, { mode: 0o600, flag: 'wx' })
}

export function removeInstance(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true })
}

/** Null when nothing was left there, or nothing that can be read; a killed program leaves its file behind. */
export function readInstance(dataDir: string): Instance | null {
  try {
    const found: unknown = JSON.parse(readFileSync(pathOf(dataDir), 'utf8'))
    if (typeof found !== 'object' || found === null) return null
    const { pid, version, address, control } = found as Partial<Record<keyof Instance, unknown>>
    if (typeof control !== 'string' || typeof address !== 'string') return null
    return { pid: typeof pid === 'number' ? pid : 0, version: String(version), address, control }
  } catch {
    return null
  }
}
