/** The one place that reads the process: its environment, its arguments and where a person's folders are. */

import inspector from 'node:inspector'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'

export type Variables = Readonly<Record<string, string | undefined>>

export interface Environment {
  readonly variables: Variables
  readonly home: string
  readonly platform: NodeJS.Platform
  /** `POINTSMAN_PASSPHRASE`, taken out of the process once read (T2.5). */
  readonly passphrase: string | null
  /** Started by a developer: the checks of `refuseUnsafe` don't apply. */
  readonly isDevelopment: boolean
}

export function readEnvironment(): Environment {
  const passphrase = process.env.POINTSMAN_PASSPHRASE ?? null
  delete process.env.POINTSMAN_PASSPHRASE
  const variables = { ...process.env }
  return {
    variables,
    home: homedir(),
    platform: process.platform,
    passphrase: passphrase === '' ? null : passphrase,
    isDevelopment: variables.POINTSMAN_DEV === '1',
  }
}

/** Options of Node that let other code in before ours, or open a debugger. */
const unsafeOption = /^(--inspect|--require|-r$|-r=|--import|--loader|--experimental-loader|--debug-port)/

/** Headless Node has no fuses: a preload or a debugger would see every token (T3.4). */
export function refuseUnsafe({ variables, isDevelopment }: Environment, nodeArguments: readonly string[]): void {
  if (isDevelopment) return
  const fromVariable = (variables.NODE_OPTIONS ?? '').split(/\s+/).find((option) => unsafeOption.test(unquoted(option)))
  if (fromVariable !== undefined) throw unsafe(`NODE_OPTIONS holding ${optionName(unquoted(fromVariable))}`)
  const fromLine = nodeArguments.find((option) => unsafeOption.test(option))
  if (fromLine !== undefined) throw unsafe(`the Node option ${optionName(fromLine)}`)
  if (inspector.url() !== undefined) throw unsafe('a debugger attached')
}

const unquoted = (option: string): string => option.replace(/^["']/, '')
const optionName = (option: string): string => option.split('=')[0] ?? option
const unsafe = (what: string): PointsmanError => new PointsmanError('unsafe_environment', { what })

/** `$XDG_DATA_HOME/pointsman`, the platform's application folder elsewhere (architecture, "Commands"). */
export function defaultDataFolder({ variables, home, platform }: Environment, practice: boolean): string {
  const suffix = practice ? '-practice' : ''
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', `Pointsman${suffix}`)
  if (platform === 'win32') return join(variables.APPDATA ?? join(home, 'AppData', 'Roaming'), `Pointsman${suffix}`)
  return join(absolute(variables.XDG_DATA_HOME) ?? join(home, '.local', 'share'), `pointsman${suffix}`)
}

/** Where the `file` vault keeps its keys: outside every data folder, so that a copy of one opens nothing. */
export function vaultKeyFile({ variables, home, platform }: Environment): string {
  const name = 'vault-keys'
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', 'Pointsman', name)
  if (platform === 'win32') return join(variables.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Pointsman', name)
  return join(absolute(variables.XDG_CONFIG_HOME) ?? join(home, '.config'), 'pointsman', name)
}

/** A relative one is to be ignored, says the XDG base directory specification. */
const absolute = (path: string | undefined): string | null => (path?.startsWith('/') ? path : null)

export interface UpstreamHosts {
  readonly claude: string | null
  readonly claudeAuth: string | null
  readonly codex: string | null
  readonly codexAuth: string | null
}

/** For tests and practice only, and loopback only (architecture, "Hosts are fixed"). */
export function upstreamHosts({ variables }: Environment): UpstreamHosts {
  const read = (name: string): string | null => {
    const text = variables[name]
    return text === undefined || text === '' ? null : loopbackOrigin(name, text)
  }
  return {
    claude: read('POINTSMAN_UPSTREAM_CLAUDE'),
    claudeAuth: read('POINTSMAN_UPSTREAM_CLAUDE_AUTH'),
    codex: read('POINTSMAN_UPSTREAM_CODEX'),
    codexAuth: read('POINTSMAN_UPSTREAM_CODEX_AUTH'),
  }
}

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

function loopbackOrigin(name: string, text: string): string {
  const refusal = (): PointsmanError =>
    new PointsmanError('unsafe_environment', { what: `${name} naming anything but a loopback address` })
  if (!URL.canParse(text)) throw refusal()
  const url = new URL(text)
  const plain =
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  if (!web || !plain || !loopbackNames.has(url.hostname)) throw refusal()
  return url.origin
}
