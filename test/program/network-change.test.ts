/** No network, or another one: refused in words, and connections that are dead are not used again (F1, F23). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'

// With its own processes: whatever it started ends with it.
const apart = ['--map-root-user', '--net', '--pid', '--fork', '--kill-child']
const link = ['ip', 'link', 'add', 'wlan', 'type', 'veth', 'peer', 'name', 'far']
const missing = spawnSync('unshare', [...apart, ...link]).status !== 0
if (missing) console.log('skipped F1 and F23: no network namespace with an interface of its own can be made here')

const setUp = [
  'ip link set lo up',
  link.join(' '),
  'ip addr add 10.71.0.2/24 dev wlan',
  'ip link set far up',
  'ip link set wlan up',
]

function outcomeOf(scenario: 'change' | 'none'): unknown {
  buildIfStale({ window: false })
  const child = join(import.meta.dirname, 'network-child.ts')
  // Before Node starts: what keeps tests on this machine knows the machine's own addresses from then.
  const script = `${setUp.join(' && ')} && exec "$@"`
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...apart, 'sh', '-c', script, 'sh', process.execPath, child, scenario],
    {
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    },
  )
  return { ...JSON.parse(stdout || '{}'), stderr }
}

describe.skipIf(missing)('the network', () => {
  test('F1 without a network a call by name or address is one clear 502, and what can be reached is served', () => {
    const code = '502 upstream_unreachable'
    expect(outcomeOf('none')).toEqual({ codes: [code, code], near: 200, stderr: '' })
  })

  test('F23 after a change of network the next call goes out on a fresh connection, not on the dead one', () => {
    expect(outcomeOf('change')).toEqual({ statuses: [200, 200], noticed: true, fresh: true, stderr: '' })
  })
})
