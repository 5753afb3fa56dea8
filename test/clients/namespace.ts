/** Refuses to run where anything but loopback can be reached: the clients would talk to the world. */
import { networkInterfaces } from 'node:os'

export default function setup(): void {
  const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
  if (others.length === 0) return
  throw new Error(`not in a namespace with loopback only (found ${others.join(', ')}): run npm run test:clients`)
}
