/** The built program, which notes its memory after a full collection each time it is sent SIGUSR2. */
import { appendFileSync } from 'node:fs'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const { POINTSMAN_TEST_MEASURES: file = '', POINTSMAN_TEST_SNAPSHOTS: snapshots } = process.env

process.on('SIGUSR2', () => {
  // The second collection takes what finalizers of the first let go.
  collect()
  setImmediate(() => {
    collect()
    if (snapshots !== undefined) writeHeapSnapshot(`${snapshots}/${Date.now()}.heapsnapshot`)
    appendFileSync(file, `${JSON.stringify(process.memoryUsage())}\n`)
  })
})

await import('../net/guarded-process.ts')
