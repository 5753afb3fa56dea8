/** The route rules: where each holds, who serves there, its switch, and what can be done with it. */
import { Switch as AriaSwitch } from 'react-aria-components'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { strategyName } from '../models/strategy-name.ts'
import { useMirror } from '../state/mirror.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { announce } from '../ui/announce.ts'
import { Section } from '../ui/section.tsx'
import { StateMark } from '../ui/state-mark.tsx'
import { asWritten, editRule, type Rule, routesMirror } from './routes.ts'
import '../styles/routes.css'

/** Nothing at all while there is no rule. */
export function RuleList() {
  const { routes: texts } = useTexts()
  const { value: rules } = useMirror(routesMirror)
  if (rules === null || rules.length === 0) return null
  return (
    <Section title={texts.title} count={rules.length}>
      <ul className="rules">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} />
        ))}
      </ul>
    </Section>
  )
}

function RuleRow({ rule }: { readonly rule: Rule }) {
  const texts = useTexts()
  const { routes, ui } = texts
  const { id, providerId, dialect, strategy, tiers, enabled, revision } = rule
  const model = visible(rule.matchModel)
  const name = routes.ruleName(model, providerId)
  const isEmpty = tiers.flat().every(({ exists }) => !exists)
  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await act()
      announce(done)
    } catch (cause) {
      toast(texts.said.problem(problemOf(cause)))
    }
    await routesMirror.refresh()
  }
  const set = (on: boolean) =>
    change(
      () => client.models.setRoute({ ...asWritten(rule), enabled: on }),
      on ? routes.switchedOn(name) : routes.switchedOff(name),
    )
  const remove = async (): Promise<void> => {
    await change(() => client.models.removeRoute({ id, basedOn: revision }), routes.removed(name))
    const { id: _, basedOn: __, ...anew } = asWritten(rule)
    const undo = (): void => void change(() => client.models.setRoute({ ...anew, enabled }), ui.undone)
    if (routesMirror.store.getState().value?.every((one) => one.id !== id)) toast(routes.removed(name), { undo })
  }
  return (
    <li className={enabled ? 'rule' : 'rule is-off'}>
      <AriaSwitch className="switch" aria-label={name} isSelected={enabled} onChange={(on) => void set(on)}>
        <span className="switch-track" aria-hidden="true">
          <span className="switch-knob" />
        </span>
      </AriaSwitch>
      <span className="rule-where">
        <code className="rule-model">
          <bdi>{model}</bdi>
        </code>
        <span className="rule-at">
          {routes.at[providerId === 'any' ? 'any' : 'one'](visible(providerId))} · {routes.styles[dialect ?? 'any']} ·{' '}
          {strategy === null ? routes.defaultStrategy : strategyName(strategy, texts)}
        </span>
      </span>
      <span className="rule-backends">
        {isEmpty ? (
          <StateMark tone="warn" word={routes.nobodyLeft} />
        ) : (
          tiers
            .map((tier) =>
              tier.map(({ backendId, sourceLabel }) => visible(sourceLabel ?? backendId)).join(routes.next),
            )
            .join(routes.nextTier)
        )}
      </span>
      <ActionMenu
        label={ui.moreFor(name)}
        actions={[
          { id: 'edit', text: routes.edit, run: () => editRule(rule) },
          { id: 'remove', text: ui.delete, run: () => void remove(), isDanger: true },
        ]}
      />
    </li>
  )
}
