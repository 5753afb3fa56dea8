/** What runs by itself beside the calls: the poller, and the watch for sleep and jumps of the clock. */
import { WakeWatch } from '../state/wake-watch.ts'
import { Poller, type PollerDeps } from './poller.ts'

export interface Upkeep {
  readonly poller: Poller
  close(): Promise<void>
}

/** `onJump` comes before the quotas are read anew: dead connections and old tokens would spoil that. */
export function startUpkeep(deps: PollerDeps, onJump: () => void): Upkeep {
  const poller = new Poller(deps)
  const wake = new WakeWatch(deps.clock, () => {
    deps.log.info('clock-jumped')
    onJump()
    poller.jumped()
  })
  wake.start()
  poller.start()
  return {
    poller,
    async close() {
      wake.close()
      await poller.close()
    },
  }
}
