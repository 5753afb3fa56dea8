/** One sign-in, step by step, until it is done, failed or cancelled. */
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { onChange } from '../state/areas.ts'
import { accountsMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { Words } from '../ui/words.tsx'

type SignIn = Awaited<ReturnType<Client['accounts']['signIn']>>

export interface SignInStepsProps {
  readonly id: string
  readonly onAgain: () => void
  readonly onClose: () => void
}

export function SignInSteps({ id, onAgain, onClose }: SignInStepsProps) {
  const { profiles: texts, ui } = useTexts()
  const [signIn, setSignIn] = useState<SignIn | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [pasted, setPasted] = useState('')
  const isOver = useRef(false)
  const step = signIn?.step ?? { kind: 'starting' as const }

  const show = useEffectEvent((view: SignIn) => {
    setSignIn(view)
    if (view.step.kind !== 'done' || isOver.current) return
    isOver.current = true
    void accountsMirror.refresh()
    toast(view.step.isNew ? texts.added(view.step.label) : texts.signedIn(view.step.label))
    onClose()
  })
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        show(await client.accounts.signIn({ id }))
      } catch (cause) {
        setProblem(problemOf(cause))
      }
    }
    return onChange('accounts', () => void read())
  }, [id])

  const cancel = async (): Promise<void> => {
    await client.accounts.cancelSignIn({ id }).catch(() => {})
    onClose()
  }
  const finish = async (): Promise<void> => {
    setProblem(null)
    try {
      const text = pasted.trim()
      await client.accounts.finishSignIn(step.kind === 'program' ? { id, code: text } : { id, callbackUrl: text })
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  const wantsText = step.kind === 'browser' || (step.kind === 'program' && step.wantsCode)
  return (
    <Form
      onSubmit={step.kind === 'failed' ? async () => onAgain() : finish}
      foot={
        step.kind === 'failed' ? (
          <>
            <Button onPress={onClose}>{ui.close}</Button>
            <Button kind="primary" type="submit">
              {texts.startAgain}
            </Button>
          </>
        ) : (
          <>
            <Button onPress={() => void cancel()}>{texts.cancelSignIn}</Button>
            {wantsText && (
              <Button type="submit" isDisabled={pasted.trim() === ''}>
                {step.kind === 'program' ? texts.useCode : texts.usePasted}
              </Button>
            )}
          </>
        )
      }
    >
      <div role="status">
        <StepWords step={step} />
      </div>
      {wantsText && (
        <TextField
          label={step.kind === 'program' ? texts.pageCode : texts.pasted}
          hint={step.kind === 'program' ? texts.pageCodeHint : texts.pastedHint}
          value={pasted}
          onChange={setPasted}
          isCode
        />
      )}
      <ProblemNotice problem={problem} />
    </Form>
  )
}

function StepWords({ step }: { readonly step: SignIn['step'] }): ReactNode {
  const { profiles: texts, said } = useTexts()
  switch (step.kind) {
    case 'starting':
      return <p>{texts.signInStarting}</p>
    case 'browser':
      return (
        <>
          {step.because === null ? (
            <p>{texts.waitsForBrowser}</p>
          ) : (
            <Notice tone="warn">{texts.pasteOnly(said.sentence(step.because))}</Notice>
          )}
          <PageLink url={step.url} />
        </>
      )
    case 'device':
      return (
        <>
          <p>{texts.deviceText}</p>
          <p className="sign-in-code">
            <code>{step.userCode}</code>
            <CopyButton text={step.userCode} label={texts.copyCode} />
          </p>
          <PageLink url={step.url} />
        </>
      )
    case 'program':
      return (
        <>
          <p>
            <Words text={texts.programText(step.version)} />
          </p>
          {step.url === null ? <p>{texts.programWaits}</p> : <PageLink url={step.url} />}
        </>
      )
    case 'finishing':
    case 'done':
      return <p>{texts.signInFinishing}</p>
    case 'failed':
      return (
        <Notice tone="bad">
          <Words text={said.problemWithStep({ ...step, code: 'sign_in_failed' })} />
        </Notice>
      )
  }
}

/** A link, so that it opens where the person's browser is; its address stays readable. */
function PageLink({ url }: { readonly url: string }) {
  const { profiles: texts } = useTexts()
  return (
    <p>
      <a className="button button-primary" href={url} target="_blank" rel="noreferrer">
        {texts.openPage}
      </a>
    </p>
  )
}
