/** One subscription account: who it is, how it stands, what is left of each window, what it may serve. */
import { useState } from 'react'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { type Account, accountsMirror } from '../state/sources.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { Hint } from '../ui/tooltip.tsx'
import { Words } from '../ui/words.tsx'
import { AccountOptions } from './account-options.tsx'
import { useAskFirst } from './ask-first.tsx'
import { CustodyBadge } from './custody-badge.tsx'
import { removeSoon } from './leaving.ts'
import { isOfWorkspace, planName } from './plan.ts'
import { Provenance, QuotaMeter } from './quota-meter.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SourceState } from './source-state.tsx'

export interface AccountCardProps {
  readonly account: Account
  readonly servesAs: 'now' | 'next' | null
  readonly onSignIn: () => void
}

export function AccountCard({ account, servesAs, onSignIn }: AccountCardProps) {
  const { profiles: texts, said, ui } = useTexts()
  const { id, label, provider, plan, email, workspace, state, serves, custody, windows, models } = account
  const [isRenaming, setRenaming] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const whose = isOfWorkspace(plan) ? (workspace ?? email) : (email ?? workspace)
  const subtitle = [planName(plan), whose].filter((part) => part !== null).join(' · ')
  const everything = [planName(plan), email, workspace].filter((part) => part !== null).join(' · ')
  const explains = state !== 'ready' && state !== 'inactive'
  return (
    <Card
      title={label}
      mark={<ProviderMark provider={provider} />}
      subtitle={subtitle === '' ? ui.missing : <Hint text={visible(everything)}>{visible(subtitle)}</Hint>}
      isDimmed={state === 'inactive'}
      aside={
        <>
          <SourceState source={account} />
          <AccountMenu
            account={account}
            onRename={() => setRenaming(true)}
            onOptions={() => setChoosing(true)}
            onSignIn={onSignIn}
          />
        </>
      }
      foot={
        <>
          <span>
            {models.length === 0 ? (
              texts.noModels
            ) : windows.length === 0 ? (
              texts.modelCount(models.length)
            ) : (
              <Provenance windows={windows} isUnused={state === 'signed-out'} />
            )}
          </span>
          <CustodyBadge account={account} />
          {custody === 'read-only' && (
            <Hint text={texts.readOnlyHint}>
              <Badge>{texts.readOnly}</Badge>
            </Hint>
          )}
          {custody === 'setup-token' && (
            <Hint text={texts.setupTokenHint}>
              <Badge>{texts.setupToken}</Badge>
            </Hint>
          )}
          <Hint text={texts.servesHint[serves]}>
            <Badge>{texts.serves[serves]}</Badge>
          </Hint>
          {servesAs !== null && <Badge tone="good">{servesAs === 'now' ? texts.servesNow : texts.next}</Badge>}
        </>
      }
    >
      {explains && (
        <Notice
          tone={state === 'signed-out' ? 'bad' : 'warn'}
          action={state === 'signed-out' && <Button onPress={onSignIn}>{texts.signInAgain}</Button>}
        >
          <Words text={said.sentence(account.because)} />
        </Notice>
      )}
      {windows.length > 0 && state !== 'signed-out' && (
        <div className="meters">
          {windows.map((window) => (
            <QuotaMeter key={`${window.window} ${window.family}`} window={window} />
          ))}
        </div>
      )}
      {windows.length === 0 && state !== 'signed-out' && <p className="card-remark">{texts.noWindows}</p>}
      <AccountOptions account={account} isOpen={isChoosing} onClose={() => setChoosing(false)} />
      <RenameDialog
        name={label}
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        rename={async (next) => {
          await client.accounts.rename({ id, label: next })
          await accountsMirror.refresh()
        }}
      />
    </Card>
  )
}

interface AccountMenuProps {
  readonly account: Account
  readonly onRename: () => void
  readonly onOptions: () => void
  readonly onSignIn: () => void
}

function AccountMenu({ account, onRename, onOptions, onSignIn }: AccountMenuProps) {
  const { profiles: texts, said, ui } = useTexts()
  const { id, label, active, state } = account
  const { askFirst, question } = useAskFirst(account)
  const attempt = async (act: () => Promise<string | null>) => {
    try {
      const text = await act()
      if (text !== null) toast(text)
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await accountsMirror.refresh()
  }
  const setActive = async () => {
    await client.accounts.setActive({ id, active: !active })
    return null
  }
  const readModels = async () => {
    const { models } = await client.accounts.refreshModels({ id })
    return texts.modelsRead(label, models.length)
  }
  const signOut = async () => {
    await client.accounts.signOut({ id })
    return texts.signedOutNow(label)
  }
  const handOver = async () => {
    await client.accounts.handOver({ id })
    return texts.handedOver(label)
  }
  const handBack = async () => {
    await client.accounts.handBack({ id })
    return texts.handedBack(label)
  }
  const custodyAction = account.canHandBack
    ? [{ id: 'hand-back', text: texts.handBack, run: () => void attempt(handBack) }]
    : account.holder === 'cli'
      ? [{ id: 'hand-over', text: texts.handOver, run: () => void attempt(handOver) }]
      : []
  const remove = () => void removeSoon(account, texts.deleted(label), (problem) => toast(said.problem(problem)))
  const menu = (
    <ActionMenu
      label={ui.moreFor(label)}
      actions={[
        { id: 'rename', text: texts.renameAction, run: onRename },
        { id: 'options', text: texts.options, run: onOptions },
        {
          id: 'active',
          text: active ? texts.deactivate : texts.activate,
          run: () =>
            active ? void askFirst(texts.deactivate, () => void attempt(setActive)) : void attempt(setActive),
        },
        {
          id: 'models',
          text: texts.readModels,
          run: () => void attempt(readModels),
          isDisabled: state === 'signed-out',
        },
        ...custodyAction,
        { id: 'sign-in', text: texts.signInAgain, run: onSignIn },
        {
          id: 'sign-out',
          text: texts.signOut,
          run: () => void askFirst(texts.signOut, () => void attempt(signOut)),
          isDisabled: state === 'signed-out',
        },
        {
          id: 'delete',
          text: texts.deleteAction,
          run: () => void askFirst(texts.deleteAction, remove),
          isDanger: true,
        },
      ]}
    />
  )
  return (
    <>
      {menu}
      {question}
    </>
  )
}
