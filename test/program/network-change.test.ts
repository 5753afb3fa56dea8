/** The machine changes its network: connections that are dead are not used again (F23). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'

// With its own processes: whatever it started ends with it.
const apart = ['--map-root-user', '--net', '--pid', '--fork', '--kill-child']
const missing =
  spawnSync('unshare', [...apart, 'ip', 'link', 'add', 'wlan', 'type', 'veth', 'peer', 'name', 'far']).status !== 0
if (missing) console.log('skipped F23: no network namespace with an interface of its own can be made here')

test.skipIf(missing)(
  'F23 after a change of network the next call goes out on a fresh connection, without waiting for the dead one',
  () => {
    buildIfStale({ window: false })
    const child = join(import.meta.dirname, 'network-change.ts')
    const { stdout, stderr } = spawnSync('unshare', [...apart, process.execPath, child], {
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    expect([stderr, JSON.parse(stdout || '{}')]).toEqual(['', { statuses: [200, 200], noticed: true, fresh: true }])
  },
)
