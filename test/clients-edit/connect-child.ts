/** Connects one client and dies by SIGKILL at the named step: `connect-child.ts FOLDER CLIENT STEP connect|restore WAY FOLDER-OF-ITS-SETTINGS`. */
import { openClients } from './clients-kit.ts'

const [folder = '', client = 'claude', at, act, way, shop = ''] = process.argv.slice(2)
const { clients } = openClients(folder, (step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL')
})
const place = { client: client as 'claude' | 'codex', folder: shop === '' ? null : shop }
if (act === 'restore') await clients.restore(place)
else await clients.connect(place, way === 'base-url' ? way : 'own')
process.exit(0)
