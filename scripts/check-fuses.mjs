/** Reads the fuses back from the packaged program in `dist/` and compares them with `electron-builder.yml` (T3.3). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { root } from './build-if-stale.mjs'

/** What a signed program must say of itself. */
const wanted = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  GrantFileProtocolExtraPrivileges: false,
}

const places = [
  'dist/linux-unpacked/pointsman',
  'dist/linux-arm64-unpacked/pointsman',
  'dist/mac/Pointsman.app',
  'dist/mac-arm64/Pointsman.app',
  'dist/win-unpacked/Pointsman.exe',
]
const program = places.map((place) => join(root, place)).find((place) => existsSync(place))
if (program === undefined) {
  console.error('There is no packaged program in dist/: run `npm run package -- --dir` first.')
  process.exit(1)
}
const wire = await getCurrentFuseWire(program)
const wrong = Object.entries(wanted).filter(
  ([name, isOn]) => wire[FuseV1Options[name]] !== (isOn ? FuseState.ENABLE : FuseState.DISABLE),
)
for (const [name, isOn] of wrong) console.error(`The fuse ${name} must be ${isOn ? 'on' : 'off'}.`)
if (wrong.length === 0) console.log(`All ${Object.keys(wanted).length} fuses are as they must be.`)
process.exit(wrong.length === 0 ? 0 : 1)
