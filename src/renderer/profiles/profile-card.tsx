/** One API profile or local provider: where it is, what it speaks, how many models it has. */
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { budgetsMirror } from '../state/budgets.ts'
import { useMirror } from '../state/mirror.ts'
import { type Profile, profilesMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { Words } from '../ui/words.tsx'
import { useAskFirst } from './ask-first.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { removeSoon } from './leaving.ts'
import { SourceState } from './source-state.tsx'

export interface ProfileCardProps {
  readonly profile: Profile
  readonly servesAs: 'now' | 'next' | null
  readonly onEdit: () => void
}

export function ProfileCard({ profile, servesAs, onEdit }: ProfileCardProps) {
  const { profiles: texts, said, ui } = useTexts()
  const { id, label, kind, provider, baseUrl, keyPreview, models, state, joins, active, untilMs } = profile
  const host = baseUrl.replace(/^https?:\/\//, '')
  const access = keyPreview === null ? (kind === 'local' ? texts.local : texts.noKey) : texts.keyEnding(keyPreview)
  const { askFirst, question } = useAskFirst(profile)
  const remove = () => void removeSoon(profile, texts.deleted(label), (problem) => toast(said.problem(problem)))
  const setActive = async () => {
    try {
      await client.profiles.update({ id, active: !active })
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await profilesMirror.refresh()
  }
  return (
    <Card
      title={label}
      mark={<ProviderMark provider={provider} />}
      subtitle={visible(`${host} · ${access}`)}
      isDimmed={state === 'inactive'}
      aside={
        <>
          <SourceState source={profile} />
          <ActionMenu
            label={ui.moreFor(label)}
            actions={[
              { id: 'edit', text: texts.edit, run: onEdit },
              {
                id: 'active',
                text: active ? texts.deactivate : texts.activate,
                run: () => (active ? void askFirst(texts.deactivate, () => void setActive()) : void setActive()),
              },
              {
                id: 'delete',
                text: texts.deleteAction,
                run: () => void askFirst(texts.deleteAction, remove),
                isDanger: true,
              },
            ]}
          />
          {question}
        </>
      }
      foot={
        <>
          <span>{models.length === 0 ? texts.noModels : texts.modelCount(models.length)}</span>
          {joins.length > 0 && <Badge>{texts.joins(joins.join(', '))}</Badge>}
          {models.length > 0 && models.every(({ free }) => free) && <Badge>{texts.free}</Badge>}
          {servesAs !== null && <Badge tone="good">{servesAs === 'now' ? texts.servesNow : texts.next}</Badge>}
        </>
      }
    >
      {state !== 'ready' && state !== 'inactive' && (
        // What no time will heal, such as a rejected key, is put right by the person.
        <Notice
          tone={untilMs === null ? 'bad' : 'warn'}
          action={untilMs === null && <Button onPress={onEdit}>{texts.editNow}</Button>}
        >
          <Words text={said.sentence(profile.because)} />
        </Notice>
      )}
      {profile.budgetId !== null && <OwnBudget budgetId={profile.budgetId} />}
      <p className="card-remark">{profile.dialects.map((dialect) => texts.dialectNames[dialect]).join(' · ')}</p>
    </Card>
  )
}

/** Its own cap; shared where keys draw on it too. */
function OwnBudget({ budgetId }: { readonly budgetId: string }) {
  const { value: budgets } = useMirror(budgetsMirror)
  const budget = budgets?.find(({ id }) => id === budgetId)
  return budget === undefined ? null : <BudgetMeter label={visible(budget.label)} budget={budget} />
}
