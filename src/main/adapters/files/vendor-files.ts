/** Reads the vendors' own credential files, which their CLIs may be rewriting at that moment (codex §1.8). */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Files } from '../../ports.ts'

const tries = 4
const pauseMs = 50

export const vendorFiles: Files = {
  async readText(path) {
    for (let attempt = 1; ; attempt += 1) {
      const text = await read(path)
      if (text === null || attempt === tries || isWholeJson(text)) return text
      await pause(pauseMs)
    }
  },
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
