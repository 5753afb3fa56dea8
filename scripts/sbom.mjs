/**
 * `npm run sbom`: writes `out/sbom.cdx.json`, a CycloneDX list of everything that reaches a person: the packages that the
 * program imports and all that those need, each with version, licence and the lockfile's checksum. The same sources
 * give the same file. npm's own list holds the build tools too and leaves out whether a package ships.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importedPackages } from './shipped.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = process.argv[2] ?? join(root, 'out', 'sbom.cdx.json')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, shell: process.platform === 'win32' }
const whole = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
)

const dependsOn = new Map(whole.dependencies.map(({ ref, dependsOn: refs = [] }) => [ref, refs]))
const component = new Map(whole.components.map((each) => [each['bom-ref'], each]))
const self = whole.metadata.component['bom-ref']

/** A direct dependency: of several versions of a name, the one that the program itself sees. */
const direct = importedPackages(root).map((name) => {
  const found = dependsOn.get(self).find((ref) => ref.startsWith(`${realName(name)}@`))
  if (found === undefined) throw new Error(`${name} is imported but not a dependency`)
  return found
})

const shipped = new Set()
for (const waiting = [...direct]; waiting.length > 0; ) {
  const ref = waiting.pop()
  if (shipped.has(ref)) continue
  shipped.add(ref)
  // Electron's own dependencies only fetch its binary.
  if (!ref.startsWith('electron@')) waiting.push(...dependsOn.get(ref))
}

const { $schema, bomFormat, specVersion, version } = whole
const { component: own, tools } = whole.metadata
const list = {
  $schema,
  bomFormat,
  specVersion,
  version,
  metadata: { tools, component: { ...own, type: 'application', name: manifest.name } },
  components: [...shipped].sort().map((ref) => asShipped(component.get(ref))),
  dependencies: [
    { ref: self, dependsOn: direct.sort() },
    ...[...shipped].sort().map((ref) => ({
      ref,
      dependsOn: (dependsOn.get(ref) ?? []).filter((needed) => shipped.has(needed)).sort(),
    })),
  ],
}
mkdirSync(join(target, '..'), { recursive: true })
writeFileSync(target, `${JSON.stringify(list, null, 2)}\n`)
console.log(`${shipped.size} packages in ${target}`)

/** An alias is listed under the name of what it stands for. */
function realName(name) {
  const declared = manifest.dependencies[name] ?? manifest.devDependencies[name] ?? ''
  return /^npm:(@?[^@]+)@/.exec(declared)?.[1] ?? name
}

/** It ships, whatever the manifest lists it under. */
function asShipped({ properties = [], ...each }) {
  const kept = properties.filter(({ name }) => name !== 'cdx:npm:package:development')
  return { ...each, scope: 'required', ...(kept.length > 0 ? { properties: kept } : {}) }
}
