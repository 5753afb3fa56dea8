/** Which accounts and profiles a key may use, its budget, and what a change would affect before it is saved. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { type AccessKey, accountsMirror, keysMirror, profilesMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { Button } from '../ui/button.tsx'
import { OneOf, SomeOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'

const modes = ['default', 'preferred', 'pool', 'strict', 'unbound'] as const
type Mode = (typeof modes)[number]
const fallbacks = ['default', 'none'] as const
const noBudget = 'none'

export function PolicyDialog({ accessKey, onClose }: { readonly accessKey: AccessKey; readonly onClose: () => void }) {
  const { access: texts, profiles: profileTexts, ui } = useTexts()
  const { value: accounts } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const { value: budgets } = useMirror(budgetsMirror)
  const { id, label, policy, budgetId } = accessKey
  const [mode, setMode] = useState<Mode>(policy?.mode ?? 'unbound')
  const [sources, setSources] = useState<readonly string[]>(policy?.sources ?? [])
  const ownFallback = policy?.fallback
  const [fallback, setFallback] = useState<(typeof fallbacks)[number]>(ownFallback === 'none' ? 'none' : 'default')
  const [budget, setBudget] = useState(budgetId ?? noBudget)
  const [seen, setSeen] = useState<{ readonly calls: number; readonly sessions: number } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const known = [...(accounts ?? []), ...(profiles ?? [])]
  const needsSources = mode !== 'default' && mode !== 'unbound'
  const change = { id, policy: policyOf(), budgetId: budget === noBudget ? null : budget }

  function policyOf() {
    switch (mode) {
      case 'unbound':
        return null
      case 'default':
        return { mode }
      case 'strict':
        return { mode, sources: [...sources] }
      case 'pool':
        return { mode, sources: [...sources], strategy: policy?.strategy }
      case 'preferred': {
        // A set of its own, made by the command line, stays unless the person chooses.
        const own = typeof ownFallback === 'object' && fallback === 'default' ? { ...ownFallback } : null
        return {
          mode,
          sources: [...sources],
          fallback: own === null ? fallback : { ...own, sources: [...own.sources] },
        }
      }
    }
  }

  const attempt = async (act: () => Promise<void>) => {
    setProblem(null)
    try {
      await act()
    } catch (cause) {
      setProblem(problemOf(cause))
    }
  }
  const look = () => attempt(async () => setSeen(await client.keys.preview({ kind: 'key', ...change })))
  const save = () =>
    attempt(async () => {
      await client.keys.setPolicy(change)
      await Promise.all([keysMirror.refresh(), budgetsMirror.refresh()])
      onClose()
    })
  const isIncomplete = needsSources && sources.length === 0
  return (
    <Dialog title={texts.policyTitle(label)} isOpen isLight={false} onClose={onClose}>
      <Form
        onSubmit={save}
        foot={
          <>
            <Button onPress={onClose}>{ui.cancel}</Button>
            <Button onPress={() => void look()} isDisabled={isIncomplete}>
              {texts.look}
            </Button>
            <Button kind="primary" type="submit" isDisabled={isIncomplete}>
              {ui.save}
            </Button>
          </>
        }
      >
        <OneOf
          label={texts.mode}
          value={mode}
          choices={modes.map((one) => ({ id: one, text: texts.modes[one], hint: texts.modeHints[one] }))}
          onChange={setMode}
        />
        {needsSources && (
          <SomeOf
            label={texts.sources}
            value={sources}
            choices={known.map((source) => ({
              id: source.id,
              text: texts.sourceState(visible(source.label), profileTexts.states[source.state]),
            }))}
            onChange={setSources}
          />
        )}
        {mode === 'preferred' && (
          <OneOf
            label={texts.fallback}
            value={fallback}
            choices={fallbacks.map((one) => ({ id: one, text: texts.fallbacks[one] }))}
            onChange={setFallback}
          />
        )}
        <Select
          label={texts.budget}
          value={budget}
          choices={[
            { id: noBudget, text: texts.noBudget },
            ...(budgets ?? []).map((one) => ({ id: one.id, text: visible(one.label) })),
          ]}
          onChange={setBudget}
        />
        {seen !== null && (
          <Notice tone={seen.calls === 0 ? 'plain' : 'warn'} isAlert>
            {seen.calls === 0 ? texts.nothingChanges : texts.changes(seen.calls, seen.sessions)}
          </Notice>
        )}
        <ProblemNotice problem={problem} />
      </Form>
    </Dialog>
  )
}
