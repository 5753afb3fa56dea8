/** What npm itself does with our settings: no unlisted install script runs, and the list of what ships is whole (T3.5). */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importedPackages } from '../../scripts/shipped.mjs'
import { root } from './tree.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pointsman-packages-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const json = (path: string, value: unknown): void => writeFileSync(path, JSON.stringify(value))

/** The environment without what `npm test` says of this project's own settings: the control must not inherit them. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.includes('allow_scripts')))

/** Installs a package with an install script from a file; whether npm was content, and whether the script ran. */
function installPlanted(withOurSettings: boolean): { readonly installed: boolean; readonly ran: boolean } {
  const place = folder()
  const [planted, user, mark] = ['planted', 'user', 'ran'].map((name) => join(place, name))
  for (const made of [planted, user]) mkdirSync(made)
  const script = `node -e "require('fs').writeFileSync(process.env.MARK, '')"`
  json(join(planted, 'package.json'), { name: 'planted', version: '1.0.0', scripts: { postinstall: script } })
  execFileSync('npm', ['pack', '--silent'], { cwd: planted })
  const dependencies = { planted: 'file:../planted/planted-1.0.0.tgz' }
  json(join(user, 'package.json'), { name: 'user', version: '1.0.0', dependencies, allowScripts: {} })
  if (withOurSettings) copyFileSync(join(root, '.npmrc'), join(user, '.npmrc'))
  const args = ['install', '--offline', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: user, env: { ...environment, MARK: mark }, encoding: 'utf8' })
  return { installed: status === 0, ran: existsSync(mark) }
}

test('T3.5 with our settings a package’s unlisted install script stops the installation', () => {
  expect(installPlanted(true)).toEqual({ installed: false, ran: false })
})

test('T3.5 negative control: without them the same script runs', () => {
  expect(installPlanted(false)).toEqual({ installed: true, ran: true })
})

test('`npm run sbom` lists everything that ships, each with version, licence and checksum, and the same each time', () => {
  const [first, second] = ['first.json', 'second.json'].map((name) => join(folder(), name))
  for (const path of [first, second]) execFileSync(process.execPath, [join(root, 'scripts', 'sbom.mjs'), path])
  const text = readFileSync(first, 'utf8')
  expect(readFileSync(second, 'utf8')).toBe(text)
  const list = JSON.parse(text) as {
    readonly bomFormat: string
    readonly metadata: { readonly component: { readonly name: string } }
    readonly components: readonly {
      name: string
      version: string
      purl: string
      hashes?: unknown
      licenses?: unknown
    }[]
  }
  expect([list.bomFormat, list.metadata.component.name]).toEqual(['CycloneDX', 'pointsman'])
  const names = list.components.map(({ name }) => name)
  expect(importedPackages(root).filter((name) => !names.includes(name))).toEqual([])
  expect(['vitest', 'typescript', 'electron-builder', 'vite'].filter((name) => names.includes(name))).toEqual([])
  const lacking = list.components.filter(({ hashes, licenses, purl }) => !hashes || !licenses || !purl.includes('@'))
  expect(lacking.map(({ name }) => name)).toEqual([])
})
