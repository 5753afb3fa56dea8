/** What the process is asked for: folders per platform, refused options, loopback hosts. */
import { describe, expect, test } from 'vitest'
import {
  defaultDataFolder,
  type Environment,
  refuseUnsafe,
  upstreamHosts,
  vaultKeyFile,
} from '../../../src/main/shell/headless/environment.ts'
import { greeting } from '../../../src/main/shell/headless/greeting.ts'
import { printable } from '../../../src/main/shell/headless/print.ts'

const environment = (change: Partial<Environment> = {}): Environment => ({
  variables: {},
  home: '/home/ann',
  platform: 'linux',
  passphrase: null,
  isDevelopment: false,
  ...change,
})

describe('the default data folder', () => {
  test.each<readonly [string, Partial<Environment>, boolean, string]>([
    ['Linux', {}, false, '/home/ann/.local/share/pointsman'],
    ['Linux, practice', {}, true, '/home/ann/.local/share/pointsman-practice'],
    ['XDG_DATA_HOME', { variables: { XDG_DATA_HOME: '/data' } }, false, '/data/pointsman'],
    ['a relative XDG_DATA_HOME', { variables: { XDG_DATA_HOME: 'data' } }, false, '/home/ann/.local/share/pointsman'],
    ['an empty XDG_DATA_HOME', { variables: { XDG_DATA_HOME: '' } }, false, '/home/ann/.local/share/pointsman'],
    ['macOS', { platform: 'darwin' }, false, '/home/ann/Library/Application Support/Pointsman'],
    ['macOS, practice', { platform: 'darwin' }, true, '/home/ann/Library/Application Support/Pointsman-practice'],
    ['Windows', { platform: 'win32', variables: { APPDATA: '/roaming' } }, false, '/roaming/Pointsman'],
  ])('%s', (_name, change, practice, expected) => {
    expect(defaultDataFolder(environment(change), practice)).toBe(expected)
  })

  test('the vault’s keys lie outside it', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const here = environment({ platform, variables: { APPDATA: '/roaming', LOCALAPPDATA: '/local' } })
      expect(vaultKeyFile(here).startsWith(defaultDataFolder(here, false))).toBe(false)
    }
  })
})

describe('T3.4 Node options', () => {
  const refused = (nodeOptions: string | undefined, line: readonly string[] = [], isDevelopment = false): boolean => {
    const variables = nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }
    try {
      refuseUnsafe(environment({ variables, isDevelopment }), line)
      return false
    } catch {
      return true
    }
  }

  test.each([
    '--require x.js',
    '--require=x.js',
    '-r x.js',
    '--import=./x.mjs',
    '--inspect',
    '--inspect-brk=0',
    '--max-old-space-size=1 --loader x',
    '"--require" x.js',
    '--experimental-loader=x',
  ])('%s is refused, unless a developer says so', (options) => {
    expect([refused(options), refused(options, [], true)]).toEqual([true, false])
    expect(refused(undefined, options.replaceAll('"', '').split(' '))).toBe(true)
  })

  test.each([undefined, '', '--max-old-space-size=512', '--no-warnings', '--enable-source-maps'])(
    '%s is not',
    (options) => {
      expect(refused(options)).toBe(false)
    },
  )
})

test('hosts are replaced by loopback origins only', () => {
  const hosts = (url: string) =>
    upstreamHosts(environment({ variables: { POINTSMAN_UPSTREAM_CODEX_AUTH: url } })).codexAuth
  expect(['http://127.0.0.1:80/', 'http://localhost:1', 'https://[::1]:2', ''].map(hosts)).toEqual([
    'http://127.0.0.1',
    'http://localhost:1',
    'https://[::1]:2',
    null,
  ])
  for (const url of [
    'https://chatgpt.com',
    'http://127.0.0.2',
    'http://127.0.0.1@evil.example',
    'file:///x',
    '127.0.0.1:80',
  ]) {
    expect(() => hosts(url), url).toThrow('POINTSMAN_UPSTREAM_CODEX_AUTH')
  }
})

test('the line to try survives a folder with spaces and quotes', () => {
  const text = greeting({
    address: 'http://127.0.0.1:1',
    ui: null,
    dataDir: '/d',
    keyFile: "/my folder/it's",
    key: null,
    practice: false,
  })
  expect(text).toContain(`$(cat '/my folder/it'\\''s')`)
})

test('T4.5 nothing printed can steer the terminal', () => {
  const hostile = '\u001b]52;c;x\u0007\u001b[2J\u009b1m\r\u0000\u202e\u2066a\tb\nc'
  expect(printable(hostile)).toBe('�]52;c;x��[2J�1m����a\tb\nc')
})
