/** What runs by itself beside the calls: the poller, and the watches for local servers, sleep, jumps of the clock and other networks. */
import { NetworkWatch } from '../state/network-watch.ts'
import { WakeWatch } from '../state/wake-watch.ts'
import { LocalWatch } from './local-watch.ts'
import { Poller, type PollerDeps } from './poller.ts'

export interface Upkeep {
  readonly poller: Poller
  close(): Promise<void>
}

export interface UpkeepDeps extends PollerDeps {
  /** Every address of the machine, as one text. */
  readonly addresses: () => string
}

/** `onChange` comes before the quotas are read anew: dead connections and old tokens would spoil that. */
export function startUpkeep(deps: UpkeepDeps, onChange: () => void): Upkeep {
  const poller = new Poller(deps)
  const wake = new WakeWatch(deps.clock, () => {
    deps.log.info('clock-jumped')
    onChange()
    poller.jumped()
  })
  const network = new NetworkWatch(deps.clock, deps.addresses, () => {
    deps.log.info('network-changed')
    onChange()
  })
  const local = new LocalWatch(deps)
  wake.start()
  local.start()
  network.start()
  poller.start()
  return {
    poller,
    async close() {
      wake.close()
      local.close()
      network.close()
      await poller.close()
    },
  }
}
