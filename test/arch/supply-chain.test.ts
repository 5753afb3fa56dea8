/** What the program is made of: exact pins, checksums, named install scripts, a budget, and few ways out (threats T3.5, T3.6). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importedPackages } from '../../scripts/shipped.mjs'
import { root, sourceFiles } from './tree.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const declared = { ...manifest.dependencies, ...manifest.devDependencies }
const locked = Object.entries(
  (JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, LockEntry>> }).packages,
).filter(([path]) => path !== '')
const documents = read('docs/dependencies.md')
const exact = /^(?:npm:(@?[\w/.-]+)@)?(\d+\.\d+\.\d+)$/

test('T3.5 every dependency is pinned exactly, and locked at that version', () => {
  expect(Object.entries(declared).filter(([, version]) => !exact.test(version))).toEqual([])
  const versions = Object.fromEntries(
    locked.map(([path, { version }]) => [path.replace(/^node_modules\//, ''), version]),
  )
  const pinned = Object.fromEntries(Object.entries(declared).map(([name, text]) => [name, exact.exec(text)?.[2]]))
  expect(Object.fromEntries(Object.keys(pinned).map((name) => [name, versions[name]]))).toEqual(pinned)
})

test('T3.5 every locked package carries its checksum and comes from no other place than the registry', () => {
  expect(locked.length).toBeGreaterThan(300)
  expect(
    locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([at]) => at),
  ).toEqual([])
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
})

test('T3.5 the packages with install scripts are those that package.json allows or denies by name, and only `node` runs one', () => {
  const names = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''))
  const { allowScripts } = manifest
  // better-sqlite3 has a gyp file, which npm would build with a script of its own.
  expect(
    Object.keys(allowScripts)
      .filter((name) => name !== 'better-sqlite3')
      .sort(),
  ).toEqual([...new Set(names)].sort())
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node'])
  expect(read('.npmrc').split('\n')).toContain('strict-allow-scripts=true')
})

test('what reaches a person is within the budget of docs/dependencies.md, and each package stands there with its version', () => {
  const shipped = importedPackages(root)
  expect(shipped.length).toBeGreaterThan(15)
  expect(shipped.filter((name) => declared[name] === undefined)).toEqual([])
  const folders = shipped.filter((name) => manifest.dependencies[name] !== undefined)
  expect(folders).toEqual(Object.keys(manifest.dependencies).sort())
  const inWindow = documents.slice(documents.indexOf('## In the window'), documents.indexOf('## For building'))
  const bundled = shipped.filter(
    (name) => !folders.includes(name) && name !== 'electron' && !inWindow.includes(`\`${name}\``),
  )
  const budget = /at most (\d+) runtime packages that ship as folders, at most (\d+) that are bundled/.exec(documents)
  expect(folders.length).toBeLessThanOrEqual(Number(budget?.[1]))
  expect(bundled.length).toBeLessThanOrEqual(Number(budget?.[2]))
  const silent = Object.keys(declared).filter((name) => !name.startsWith('@types/') && !isDocumented(name))
  expect(silent).toEqual([])
})

/** Named within one line that also holds its version. */
function isDocumented(name: string): boolean {
  const version = exact.exec(declared[name] ?? '')?.[2] ?? ''
  return documents.split('\n').some((line) => line.includes(`\`${name}\``) && line.includes(version))
}

/** Names that open a connection, where they are imported or called. */
const connecting = new RegExp(
  String.raw`import \{[^}]*\b(?<!type )(?:connect|createConnection|Agent|request|get|Socket|TLSSocket|fetch|Pool|Client|ProxyAgent)\b` +
    String.raw`[^}]*\} from '(?:node:(?:net|tls|https?|http2|dgram)|undici)'|(?<![.\w])fetch\((?!\w+: )|new WebSocket\(|XMLHttpRequest`,
)

test('T3.6 one module goes out to other hosts, and one for their WebSockets; whoever else connects has a reason that names this machine', () => {
  const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const found = sourceFiles('src')
    .filter(({ path, text }) => /\.tsx?$/.test(path) && connecting.test(withoutComments(text)))
    .map(({ path }) => path)
  expect(found.sort()).toEqual(Object.keys(connects).sort())
})

const connects: Readonly<Record<string, string>> = {
  'src/main/adapters/upstream/undici-upstream.ts': 'the way out',
  'src/main/adapters/websocket/dial.ts': 'the same way out for the WebSocket of an account, whose host is fixed',
  'src/main/adapters/websocket/tunnel.ts': 'its way through the proxy that the way out names',
  'src/main/adapters/oauth/callback-listener.ts': 'asks a listener on loopback to make room',
  'src/main/practice/traffic.ts': 'practice clients of the own data port',
  'src/main/shell/headless/cli/client.ts': 'the control socket',
  'src/main/shell/headless/cli/doctor.ts': 'the own data port',
  'src/renderer/bridge/client.ts': 'the window’s own origin, which its content policy holds it to',
}
