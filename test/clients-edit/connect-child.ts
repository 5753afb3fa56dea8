/** Connects one client and dies by SIGKILL at the named step: `connect-child.ts FOLDER CLIENT STEP connect|restore`. */
import { openClients } from './clients-kit.ts'

const [folder = '', client = 'claude', at, act] = process.argv.slice(2)
const { clients } = openClients(folder, (step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL')
})
if (act === 'restore') await clients.restore(client as 'claude' | 'codex')
else await clients.connect(client as 'claude' | 'codex')
process.exit(0)
