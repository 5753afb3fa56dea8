/** Paths as a shell reads them back. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quoted } from '../../src/shared/posix-path.ts'

test.each([
  '/home/me/.local/share/pointsman/default-key',
  '/Users/me/Library/Application Support/Pointsman/default-key',
  "/home/o'neil/$HOME/`id`/default-key",
  '/home/me/“x”/a\\b/default-key',
])('%s is read as it is', (path) => {
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoted(path)}`], { encoding: 'utf8' })).toBe(path)
})
