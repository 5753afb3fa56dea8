/** Which text may reach the system's opener (threats T4.2). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { externalAddress } from '../../src/main/shell/desktop/external-address.ts'

const opened: readonly (readonly [string, string])[] = [
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['HTTPS://Example.COM/Path', 'https://example.com/Path'],
  ['https://console.anthropic.com/settings', 'https://console.anthropic.com/settings'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
]

const refused: readonly string[] = [
  '',
  'http://example.com/',
  'file:///etc/passwd',
  'file://server/share',
  'FILE:///C:/Windows/System32/calc.exe',
  'smb://server/share',
  '\\\\server\\share',
  'ms-msdt:/id PCWDiagnostic',
  'ms-officecmd:{}',
  'search-ms:query=x&crumb=location:\\\\evil',
  'calculator:',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1',
  'app://pointsman/',
  'mailto:somebody@example.com',
  'tel:123',
  'vscode://file/etc/passwd',
  'x-apple.systempreferences:',
  'intent://example.com#Intent;scheme=https;end',
  ' https://example.com/',
  'https://example.com/ ',
  '\thttps://example.com/',
  'https:\\\\example.com\\',
  'https:/example.com/',
  'https:example.com',
  'https:///example.com/',
  'https://',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://example.com@evil.example/',
  'https://example.com:8443/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://example.com/\u202egnp.exe',
  'https://exam\u200bple.com/',
  'https://example.com/a\u0000b',
  'https://example.com/a\nb',
  `https://example.com/${'a'.repeat(2_000)}`,
]

test.each(opened)('opens %j', (text, address) => {
  expect(externalAddress(text)).toBe(address)
})

test.each(refused)('T4.2 refuses %j', (text) => {
  expect(externalAddress(text)).toBeNull()
})

test('T4.2 one file alone calls the system’s opener', () => {
  const folder = join(import.meta.dirname, '../../src/main')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const callers = files.filter((name) => /openExternal\(/.test(readFileSync(join(folder, name), 'utf8')))
  expect([files.length > 100, callers.map((name) => name.replaceAll('\\', '/'))]).toEqual([
    true,
    ['shell/desktop/external.ts'],
  ])
})
