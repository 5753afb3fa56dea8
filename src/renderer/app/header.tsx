/** The top of the window: name, tabs, whether routing runs, the address for clients, settings. */
import { Settings } from 'lucide-react'
import { useState } from 'react'
import { Tab, TabList } from 'react-aria-components'
import { SettingsDialog } from '../settings/settings-dialog.tsx'
import { useTexts } from '../text/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Logo } from './logo.tsx'
import { RoutingSwitch } from './routing-switch.tsx'
import type { AppSnapshot } from './snapshot.ts'
import { tabs } from './tabs.ts'

export function Header({ snapshot }: { readonly snapshot: AppSnapshot }) {
  const { app, ui } = useTexts()
  const [isSettingsOpen, setSettingsOpen] = useState(false)
  const shown = snapshot.address.replace(/^https?:\/\//, '')
  return (
    <header className="app-header">
      <div className="app-brand">
        <Logo />
        <h1 className="app-name">{app.name}</h1>
      </div>
      <TabList className="app-tabs" aria-label={app.name}>
        {tabs.map(({ id }) => (
          <Tab key={id} id={id} className="app-tab">
            {app.tabs[id]}
          </Tab>
        ))}
      </TabList>
      <div className="app-tools">
        <RoutingSwitch paused={snapshot.paused} />
        <div className="app-address">
          <code title={app.address}>{shown}</code>
          <CopyButton text={snapshot.address} label={`${ui.copy}: ${app.address}`} />
        </div>
        <IconButton label={app.settings} onPress={() => setSettingsOpen(true)}>
          <Settings size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <SettingsDialog isOpen={isSettingsOpen} onClose={() => setSettingsOpen(false)} />
    </header>
  )
}
