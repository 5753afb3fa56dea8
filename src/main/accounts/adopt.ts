/** Takes over what the older program clovapi left: its logins read-only, its profiles as copies; its files stay as they are. */
import type { Problem } from '../../shared/errors.ts'
import type { Clock, Files, Vault } from '../ports.ts'
import type { OlderFile, OlderFiles } from '../sign-in-ports.ts'
import { matching } from './enrol.ts'
import type { Imported, ImportInput } from './import.ts'
import { isProblem } from './login.ts'
import { readOlderProfiles } from './older-profiles.ts'
import type { Keyed, ProfileInput } from './profile.ts'
import { readCredential } from './read-credential.ts'
import type { SourceBook } from './source-book.ts'

/** What became of one file, or of one profile in it. */
export interface Adoption {
  readonly path: string
  /**
   * `new`: it would be adopted. `known`: it is here already. `unknown`: its shape isn't, or it can't be used; it stays
   * where it is.
   */
  readonly outcome: 'new' | 'adopted' | 'known' | 'unknown'
  /** The source's id, where there is one. */
  readonly id: string | null
  readonly why: string | null
}

export interface AdoptDeps {
  /** Only looks: what is new is named and left. */
  readonly isDry: boolean
  readonly older: OlderFiles
  readonly files: Files
  readonly clock: Clock
  readonly vault: Vault
  readonly sources: SourceBook
  import(input: ImportInput): Promise<Imported | Problem>
  createProfile(input: ProfileInput): Promise<Keyed | Problem>
}

/** Twice is the same as once. */
export async function adopt(deps: AdoptDeps): Promise<readonly Adoption[]> {
  const found: Adoption[] = []
  for (const file of await deps.older.list()) found.push(...(await adoptFile(file, deps)))
  return found
}

const unknown = (path: string, why: string): Adoption => ({ path, outcome: 'unknown', id: null, why })

async function adoptFile({ path, holds }: OlderFile, deps: AdoptDeps): Promise<readonly Adoption[]> {
  if (holds.kind === 'unknown') return [unknown(path, 'what it holds is not known')]
  const text = await deps.files.readText(path).catch(() => null)
  if (text === null) return [unknown(path, 'it can not be read')]
  if (holds.kind === 'profiles') return adoptProfiles(path, text, deps)
  return [await adoptLogin(path, text, holds.provider, holds.name, deps)]
}

async function adoptLogin(
  path: string,
  text: string,
  provider: 'claude' | 'codex',
  name: string,
  deps: AdoptDeps,
): Promise<Adoption> {
  const login = readCredential(provider, text, deps.clock.nowMs())
  if (isProblem(login)) return unknown(path, login.sentence)
  const label = `${provider}-${name}`
  const arrival = { provider, label, login, path, origin: 'import', replaces: null, models: [] } as const
  // Never turns an account that has its own login into one that reads a file.
  const known = matching(arrival, deps.sources.all(), ({ credentialRef }) => {
    try {
      return credentialRef === null ? null : deps.vault.read(credentialRef)
    } catch {
      return null
    }
  })
  if (known !== null) return { path, outcome: 'known', id: isProblem(known) ? null : known.id, why: null }
  if (deps.isDry) return { path, outcome: 'new', id: null, why: null }
  const taken = await deps.import({ provider, label, path })
  if (isProblem(taken)) return unknown(path, taken.sentence)
  return { path, outcome: 'adopted', id: taken.account.id, why: null }
}

async function adoptProfiles(path: string, text: string, deps: AdoptDeps): Promise<readonly Adoption[]> {
  const profiles = readOlderProfiles(text)
  if (profiles === null) return [unknown(path, 'what it holds is not known')]
  const found: Adoption[] = []
  for (const profile of profiles) {
    if (profile.kind === 'elsewhere') continue
    if (profile.kind === 'unknown') {
      found.push(unknown(path, `the profile ${profile.name}: ${profile.why}`))
      continue
    }
    const { label } = profile.input
    const known = deps.sources.all().find((source) => source.type !== 'subscription' && source.label === label)
    if (known !== undefined) {
      found.push({ path, outcome: 'known', id: known.id, why: null })
      continue
    }
    if (deps.isDry) {
      found.push({ path, outcome: 'new', id: null, why: null })
      continue
    }
    const made = await deps.createProfile(profile.input)
    if (isProblem(made)) found.push(unknown(path, `the profile ${label}: ${made.sentence}`))
    else found.push({ path, outcome: 'adopted', id: made.id, why: null })
  }
  return found
}
