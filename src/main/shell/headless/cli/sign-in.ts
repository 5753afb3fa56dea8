/** `pointsman accounts sign-in codex|claude`: the terms, then each step as it comes, until it is done. */
import { createInterface, type Interface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Argument, type Command, Option } from 'commander'
import { PointsmanError } from '../../../../shared/errors.ts'
import { printError } from '../print.ts'
import { type CommandLine, pick, usage } from './command-line.ts'

type Accounts = CommandLine['client']['accounts']
type SignIn = Awaited<ReturnType<Accounts['signIn']>>
type Vendor = SignIn['provider']

interface Options {
  readonly device?: boolean
  readonly paste?: boolean
  readonly login?: boolean
  readonly label?: string
  readonly account?: string
  readonly acceptTerms?: boolean
  readonly atLimit?: 'move' | 'wait' | 'ask'
}

export function addSignIn(group: Command, line: CommandLine): void {
  group
    .command('sign-in')
    .addArgument(new Argument('<provider>').choices(['claude', 'codex']))
    .description('sign in: Codex with the browser, Claude with your own `claude`')
    .option('--device', 'Codex: with a code for a browser on another machine')
    .option('--paste', 'Codex: paste the address that the browser ends on')
    .option('--login', 'Claude: a full login in place of a setup-token, which its usage can be read with')
    .option('--label <label>', 'its name; its e-mail when left out')
    .option('--account <account>', 'id or label of the account to sign in again')
    .option('--accept-terms', 'you have read what this command says of the vendor’s terms')
    .addOption(new Option('--at-limit <choice>', 'when an account is used up').choices(['move', 'wait', 'ask']))
    .action((provider: Vendor, options: Options) => signIn(line, provider, options))
}

async function signIn(line: CommandLine, provider: Vendor, options: Options): Promise<void> {
  const { accounts } = line.client
  const { label, account, acceptTerms, atLimit } = options
  const known = account === undefined ? null : pick(await accounts.list(), account, 'account')
  const { needed, sentences } = await accounts.terms({ provider })
  if (known === null && needed !== 'none') {
    for (const sentence of sentences) printError(sentence)
    if (acceptTerms !== true) throw usage('Repeat with --accept-terms once you have read this')
  }
  const begun = await accounts.startSignIn({
    provider,
    method: methodOf(provider, options),
    ...(label === undefined ? {} : { label }),
    ...(known === null ? {} : { replaces: known.id }),
    ...(acceptTerms === true ? { acceptTerms } : {}),
    ...(atLimit === undefined ? {} : { atLimit }),
  })
  // Ctrl+C gives the port back at once.
  const cancel = (): void => void accounts.cancelSignIn({ id: begun.id }).finally(() => process.exit(130))
  process.once('SIGINT', cancel)
  try {
    const ended = await follow(accounts, begun.id)
    if (ended.step.kind === 'failed') throw new PointsmanError({ ...failed, ...ended.step })
    line.show(ended, ({ step }) =>
      step.kind !== 'done' ? '' : step.isNew ? `Signed in as ${step.accountId}.` : `Signed ${step.accountId} in again.`,
    )
  } finally {
    process.off('SIGINT', cancel)
  }
}

const failed = { code: 'sign_in_failed', status: 400, again: false } as const

function methodOf(provider: Vendor, { device, paste, login }: Options): SignIn['method'] {
  if (device === true && paste === true) throw usage('Give one of --device and --paste')
  if (provider === 'claude') {
    if (device === true || paste === true)
      throw usage('Claude signs in with your own `claude`; paste a token with `accounts import claude --setup-token -`')
    return login === true ? 'program-login' : 'program'
  }
  if (login === true) throw usage('--login is for Claude')
  return device === true ? 'device' : paste === true ? 'paste' : 'browser'
}

const lookEveryMs = 300

/** Ends with the sign-in, which has a time limit of its own. */
async function follow(accounts: Accounts, id: string): Promise<SignIn> {
  let shown = ''
  let input: Interface | null = null
  try {
    for (;;) {
      const view = await accounts.signIn({ id })
      const { step } = view
      if (step.kind === 'done' || step.kind === 'failed') return view
      const text = words(step)
      if (text !== shown && text !== '') printError(text)
      shown = text
      if (input === null && wantsText(step)) {
        input = createInterface({ input: process.stdin })
        input.on('line', (typed) => void hand(accounts, id, step.kind, typed))
      }
      await pause(lookEveryMs)
    }
  } finally {
    input?.close()
  }
}

const wantsText = (step: SignIn['step']): boolean =>
  step.kind === 'browser' || (step.kind === 'program' && step.wantsCode)

async function hand(accounts: Accounts, id: string, kind: SignIn['step']['kind'], typed: string): Promise<void> {
  if (typed.trim() === '') return
  const given = kind === 'program' ? { code: typed.trim() } : { callbackUrl: typed.trim() }
  await accounts.finishSignIn({ id, ...given }).catch((cause: unknown) => {
    printError(cause instanceof Error ? cause.message : 'It could not be used.')
  })
}

/** For stderr: stdout has the outcome alone. */
function words(step: SignIn['step']): string {
  switch (step.kind) {
    case 'browser': {
      const how =
        step.port === null
          ? `${step.because === null ? '' : `The browser can not come back by itself: ${step.because}. `}Paste the address it ends on here.`
          : 'If the browser can not come back, paste the address it ends on here.'
      return `Open this page and sign in:\n${step.url}\n${how}`
    }
    case 'device':
      return `Open ${step.url} on any machine and enter ${step.userCode}`
    case 'program': {
      const page = step.url === null ? '' : `\nOpen this page and sign in:\n${step.url}`
      const code = step.wantsCode ? '\nIf the page shows a code, paste it here.' : ''
      return `Your own claude (${step.version}) is signing in.${page}${code}`
    }
    default:
      return ''
  }
}
