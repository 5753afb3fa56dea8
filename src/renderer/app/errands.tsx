/** The dialogs that tray and notifications ask for; beside the tabs, which render what is in them twice. */
import { AccountDialog } from '../profiles/account-dialog.tsx'
import { SettingsDialog } from '../settings/settings-dialog.tsx'
import { endErrand, useErrand } from '../state/errand.ts'
import { useMirror } from '../state/mirror.ts'
import { accountsMirror } from '../state/sources.ts'

export function Errands() {
  const errand = useErrand((state) => state.errand)
  const { value: accounts } = useMirror(accountsMirror)
  switch (errand?.kind) {
    case undefined:
      return null
    case 'settings':
      return <SettingsDialog isOpen onClose={endErrand} />
    case 'add-account':
      return <AccountDialog aim={{ kind: 'add', vendor: errand.provider }} onClose={endErrand} />
    case 'sign-in': {
      const account = accounts?.find(({ id }) => id === errand.sourceId)
      return account === undefined ? null : <AccountDialog aim={{ kind: 'sign-in', account }} onClose={endErrand} />
    }
  }
}
