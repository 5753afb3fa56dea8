/** The Profiles tab: every source of models and every access key, one object a card. */
import { useState } from 'react'
import { useMirror } from '../state/mirror.ts'
import { accountsMirror, profilesMirror } from '../state/sources.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Section } from '../ui/section.tsx'
import { AccessKeys } from './access-keys.tsx'
import { AccountCard } from './account-card.tsx'
import { type AccountAim, AccountDialog } from './account-dialog.tsx'
import { AdoptOlder } from './adopt-older.tsx'
import { ConnectClients } from './connect-clients.tsx'
import { useLeaving } from './leaving.ts'
import { ProfileCard } from './profile-card.tsx'
import { type ProfileAim, ProfileDialog } from './profile-dialog.tsx'
import { servingMirror } from './serving.ts'
import '../styles/profiles.css'

export function ProfilesTab() {
  const { profiles: texts } = useTexts()
  const { value: accounts, problem } = useMirror(accountsMirror)
  const { value: profiles } = useMirror(profilesMirror)
  const { value: serving } = useMirror(servingMirror)
  const isLeaving = useLeaving(({ ids }) => ids)
  const [accountAim, aimAccount] = useState<AccountAim | null>(null)
  const [profileAim, aimProfile] = useState<ProfileAim | null>(null)
  if (accounts === null || profiles === null) return <ProblemNotice problem={problem} />
  const shownAccounts = accounts.filter(({ id }) => !isLeaving.has(id))
  const shownProfiles = profiles.filter(({ id }) => !isLeaving.has(id))
  const servesAs = (id: string) => (serving?.now.has(id) ? 'now' : serving?.next.has(id) ? 'next' : null)
  const addAccount = (
    <Button kind="primary" onPress={() => aimAccount({ kind: 'add' })}>
      {texts.addAccount}
    </Button>
  )
  const accountActions = (
    <>
      <AdoptOlder />
      {addAccount}
    </>
  )
  const group = (kind: 'api' | 'local') => {
    const members = shownProfiles.filter((profile) => profile.kind === kind)
    const add = (
      <Button onPress={() => aimProfile({ kind: 'add', of: kind })}>
        {kind === 'api' ? texts.addProfile : texts.addLocal}
      </Button>
    )
    return (
      <Section
        title={kind === 'api' ? texts.apiProfiles : texts.localProviders}
        count={members.length}
        action={members.length > 0 && add}
      >
        {members.length === 0 ? (
          <EmptyState title={kind === 'api' ? texts.noProfilesTitle : texts.noLocalTitle} action={add}>
            {kind === 'api' ? texts.noProfiles : texts.noLocal}
          </EmptyState>
        ) : (
          <div className="cards">
            {members.map((profile) => (
              <ProfileCard
                key={profile.id}
                profile={profile}
                servesAs={servesAs(profile.id)}
                onEdit={() => aimProfile({ kind: 'edit', profile })}
              />
            ))}
          </div>
        )}
      </Section>
    )
  }
  return (
    <>
      <Section title={texts.accounts} count={shownAccounts.length} action={shownAccounts.length > 0 && accountActions}>
        {shownAccounts.length === 0 ? (
          <EmptyState title={texts.noAccountsTitle} action={accountActions}>
            {texts.noAccounts}
          </EmptyState>
        ) : (
          <div className="cards">
            {shownAccounts.map((account) => (
              <AccountCard
                key={account.id}
                account={account}
                servesAs={servesAs(account.id)}
                onSignIn={() => aimAccount({ kind: 'sign-in', account })}
              />
            ))}
          </div>
        )}
      </Section>
      {group('api')}
      {group('local')}
      <ConnectClients />
      <AccessKeys />
      {accountAim !== null && <AccountDialog aim={accountAim} onClose={() => aimAccount(null)} />}
      {profileAim !== null && <ProfileDialog aim={profileAim} onClose={() => aimProfile(null)} />}
    </>
  )
}
