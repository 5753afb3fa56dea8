/** Puts practice mode's sources into the program's own stores. */
import type { Vault } from '../ports.ts'
import type { Seeds } from '../practice/practice.ts'
import type { Sources } from '../state/sources.ts'

/**
 * Practice sources: all of them into an empty store; later starts only renew what changes from run to run, their
 * logins and the ports of the simulated hosts, and leave the person's own changes alone.
 */
export async function plantPractice(seeds: Seeds, sources: Sources, vault: Vault): Promise<void> {
  const isEmpty = sources.all().length === 0
  for (const seed of seeds.sources) {
    const known = sources.get(seed.id)
    if (known === undefined && !isEmpty) continue
    const credential = seed.credentialRef === null ? undefined : seeds.credentials.get(seed.credentialRef)
    if (seed.credentialRef !== null && credential !== undefined) await vault.write(seed.credentialRef, credential)
    if (known === undefined) sources.save(seed)
    else if (known.type === 'subscription') sources.save({ ...known, signedOut: null })
    else if (seed.type !== 'subscription') sources.save({ ...known, baseUrl: seed.baseUrl })
  }
  if (isEmpty) for (const arrangement of seeds.arrangements) sources.arrange(arrangement, null)
}
