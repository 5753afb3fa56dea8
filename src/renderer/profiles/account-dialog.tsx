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

type Vendor = 'claude' | 'codex'

export type AccountAim =
  | { readonly kind: 'add'; readonly vendor?: Vendor }
  | { readonly kind: 'sign-in'; readonly account: Account }

type Way = 'path' | 'file' | 'token'

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
  const [way, setWay] = useState<Way>('path')
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const ways: readonly Way[] = vendor === 'claude' ? ['path', 'file', 'token'] : ['path', 'file']
  const label = known?.label ?? (name.trim() || texts.suggestedName[vendor])

  const submit = async () => {
    const login = readLogin(way, content.trim())
    if (login === null) {
      setProblem({ code: 'invalid_input', sentence: texts.notJson, next: '' })
      return
    }
    setBusy(true)
    try {
      const added = await client.accounts.import({
        provider: vendor,
        label,
        ...login,
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

  return (
    <Form
      onSubmit={submit}
      foot={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={content.trim() === '' || isBusy}>
            {known === null ? ui.add : texts.signInAgain}
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
              if (next === 'codex' && way === 'token') setWay('path')
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
  if (way === 'token') return { setupToken: content }
  try {
    return { credential: JSON.parse(content) as unknown }
  } catch {
    return null
  }
}
