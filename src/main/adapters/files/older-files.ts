/** Finds the files of the older program clovapi; reads names only, writes nothing (product, "Older layouts"). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OlderFile, OlderFiles } from '../../sign-in-ports.ts'

export interface OlderFilesOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** More is no folder of that program. */
const most = 200

export function olderFiles({ environment, home }: OlderFilesOptions): OlderFiles {
  const given = environment.XDG_CONFIG_HOME
  const folder = join(given?.startsWith('/') === true ? given : join(home, '.config'), 'clovapi')
  return {
    async list() {
      const names = await namesIn(folder)
      return names
        .filter((name) => name.endsWith('.json'))
        .sort()
        .slice(0, most)
        .map((name) => ({ path: join(folder, name), holds: holdsOf(name.split(/[\\/]/)) }))
    },
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch {
    return []
  }
}

/** `subscription/codex.json`, `subscription/codex/ACCOUNT.json`, `profiles.json`. */
function holdsOf(parts: readonly string[]): OlderFile['holds'] {
  const [first = '', second = '', third, ...more] = parts
  if (parts.length === 1 && first === 'profiles.json') return { kind: 'profiles' }
  if (first !== 'subscription' || more.length > 0) return { kind: 'unknown' }
  const provider = second.replace(/\.json$/, '')
  if (provider !== 'claude' && provider !== 'codex') return { kind: 'unknown' }
  if (third === undefined) return { kind: 'login', provider, name: 'default' }
  return { kind: 'login', provider, name: third.replace(/\.json$/, '') }
}
