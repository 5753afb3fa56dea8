/** The fuses of the packaged program: what is asked for is what `scripts/check-fuses.mjs` reads back (T3.3). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

/** What turns the signed program into something else, and what must keep it from that. */
const wanted = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
}

test('T3.3 the packaged program is asked for with every fuse set, and each is read back from it', () => {
  const asked = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
  const checked = readFileSync(join(root, 'scripts', 'check-fuses.mjs'), 'utf8')
  for (const [name, value] of Object.entries(wanted)) {
    expect([name, new RegExp(`^  ${name}: (\\w+)$`, 'm').exec(asked)?.[1]]).toEqual([name, String(value)])
    const own = name.charAt(0).toUpperCase() + name.slice(1)
    expect([own, new RegExp(`^  ${own}: (\\w+),$`, 'm').exec(checked)?.[1]]).toEqual([own, String(value)])
  }
})
