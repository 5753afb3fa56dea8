/** `npm run test:desktop`: the shared window specs and Electron's own on a real Electron, where its program is. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './build-if-stale.mjs'
import { installedElectron } from './electron-binary.mjs'

const given = process.argv.slice(2)
const isRequired = given.includes('--require')
const electron = installedElectron()

if (electron === null) {
  console.log('Skipped: Electron’s program is not here, so nothing was shown on a real Electron.')
  console.log('`npx install-electron` fetches it. The same shell runs on a stand-in as part of `npm test`.')
  console.log('\n0 passed, 0 failed')
  process.exit(isRequired ? 1 : 0)
}
if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
  console.log('Skipped: this session has no display; `xvfb-run -a npm run test:desktop` gives it one.')
  console.log('\n0 passed, 0 failed')
  process.exit(isRequired ? 1 : 0)
}
const args = ['test', ...given.filter((argument) => argument !== '--require')]
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, POINTSMAN_SHELL: 'electron' },
})
process.exit(status ?? 1)
