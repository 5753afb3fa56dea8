/** Adds an account from a login that the person already has, or signs one in again with it. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { type Account, accountsMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { OneOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { SignInSteps } from './sign-in-steps.tsx'
import { type Accepted, TermsStep } from './terms-step.tsx'

type Vendor = 'claude' | 'codex'

export type AccountAim =
  | { readonly kind: 'add'; readonly vendor?: Vendor }
  | { readonly kind: 'sign-in'; readonly account: Account }

type SignInWay = 'browser' | 'device' | 'program' | 'program-login'
type Way = SignInWay | 'path' | 'keyring' | 'file' | 'token'

const waysOf: Readonly<Record<Vendor, readonly Way[]>> = {
  claude: ['program', 'program-login', 'path', 'file', 'token'],
  codex: ['browser', 'device', 'path', 'keyring', 'file'],
}
const signInWays: readonly Way[] = ['browser', 'device', 'program', 'program-login']
const isSignIn = (way: Way): way is SignInWay => signInWays.includes(way)

export interface AccountDialogProps {
  readonly aim: AccountAim
  readonly onClose: () => void
}

export function AccountDialog({ aim, onClose }: AccountDialogProps) {
  const { profiles: texts } = useTexts()
  const title = aim.kind === 'add' ? texts.addAccountTitle : texts.signInTitle(aim.account.label)
  return (
    <Dialog title={title} isOpen isLight={false} onClose={onClose}>
      <AccountForm aim={aim} onClose={onClose} />
    </Dialog>
  )
}

function AccountForm({ aim, onClose }: AccountDialogProps) {
  const { profiles: texts, ui } = useTexts()
  const known = aim.kind === 'sign-in' ? aim.account : null
  const [vendor, setVendor] = useState<Vendor>(
    known?.provider ?? (aim.kind === 'add' ? aim.vendor : undefined) ?? 'claude',
  )
  const [chosenWay, setWay] = useState<Way | null>(null)
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [needed, setNeeded] = useState<'first' | 'several' | null>(null)
  const [signInId, setSignInId] = useState<string | null>(null)
  const ways = waysOf[vendor]
  const way = chosenWay ?? ways[0] ?? 'path'
  const label = known?.label ?? (name.trim() || texts.suggestedName[vendor])

  /** With what was accepted on the terms screen. */
  const submit = async (accepted: Accepted | null) => {
    const login = isSignIn(way) ? null : readLogin(way, content.trim())
    if (login === null && !isSignIn(way)) {
      setProblem({ code: 'invalid_input', sentence: texts.notJson, next: '' })
      return
    }
    setBusy(true)
    try {
      if (known === null && accepted === null) {
        const terms = await client.accounts.terms({ provider: vendor })
        if (terms.needed !== 'none') {
          setNeeded(terms.needed)
          return
        }
      }
      setNeeded(null)
      const told = accepted === null ? {} : { acceptTerms: true, ...accepted }
      if (isSignIn(way)) {
        const named = name.trim() === '' ? {} : { label: name.trim() }
        const whose = known === null ? named : { replaces: known.id }
        const { id } = await client.accounts.startSignIn({ provider: vendor, method: way, ...whose, ...told })
        setSignInId(id)
        return
      }
      const added = await client.accounts.import({
        provider: vendor,
        label,
        ...login,
        ...told,
        ...(known === null ? {} : { replaces: known.id }),
      })
      await accountsMirror.refresh()
      toast(added.isNew ? texts.added(added.label) : texts.signedIn(added.label))
      onClose()
    } catch (cause) {
      setProblem(problemOf(cause))
    } finally {
      setBusy(false)
    }
  }

  if (needed !== null) {
    return <TermsStep vendor={vendor} needed={needed} onBack={() => setNeeded(null)} onAccept={submit} />
  }
  if (signInId !== null) {
    return <SignInSteps id={signInId} onAgain={() => setSignInId(null)} onClose={onClose} />
  }
  return (
    <Form
      onSubmit={() => submit(null)}
      foot={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={(content.trim() === '' && !isSignIn(way)) || isBusy}>
            {known === null && !isSignIn(way) ? ui.add : texts.signInAgain}
          </Button>
        </>
      }
    >
      {known === null && (
        <>
          <OneOf
            label={texts.vendor}
            value={vendor}
            choices={(['claude', 'codex'] as const).map((id) => ({ id, text: texts.vendors[id] }))}
            onChange={(next) => {
              setVendor(next)
              if (!waysOf[next].includes(way)) setWay(null)
            }}
          />
          <TextField label={texts.name} value={name} onChange={setName} placeholder={texts.suggestedName[vendor]} />
        </>
      )}
      <OneOf
        label={texts.way}
        value={way}
        choices={ways.map((id) => ({ id, text: texts.ways[id], hint: texts.wayHints[id] }))}
        onChange={(next) => {
          setWay(next)
          // What was pasted for one way is nothing for another, and may be a secret.
          setContent('')
          setProblem(null)
        }}
      />
      {way === 'path' && (
        <TextField label={texts.path} hint={texts.pathHints[vendor]} value={content} onChange={setContent} isCode />
      )}
      {way === 'keyring' && (
        <TextField label={texts.keyringOf} hint={texts.keyringHint} value={content} onChange={setContent} isCode />
      )}
      {way === 'file' && (
        <>
          <TextField
            label={texts.file}
            hint={texts.fileHints[vendor]}
            value={content}
            onChange={setContent}
            isCode
            rows={5}
          />
          <Notice>{texts.fileWarning}</Notice>
        </>
      )}
      {way === 'token' && (
        <TextField label={texts.token} hint={texts.tokenHint} value={content} onChange={setContent} isSecret />
      )}
      <ProblemNotice problem={problem} />
      <p className="field-hint">{texts.terms}</p>
    </Form>
  )
}

/** What `accounts.import` takes; null when the pasted file is no JSON. */
function readLogin(way: Way, content: string) {
  if (way === 'path') return { path: content }
  if (way === 'keyring') return { keyringOf: content }
  if (way === 'token') return { setupToken: content }
  try {
    return { credential: JSON.parse(content) as unknown }
  } catch {
    return null
  }
}
