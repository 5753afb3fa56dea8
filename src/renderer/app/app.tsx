/** The frame: header with the tabs, banners, the tab that is shown, notices. */

import { Suspense, useLayoutEffect } from 'react'
import { I18nProvider, TabPanel, Tabs } from 'react-aria-components'
import { appMirror } from '../state/app.ts'
import { useChoices, useLanguage } from '../state/choices.ts'
import { useConnection } from '../state/connection.ts'
import { useMirror } from '../state/mirror.ts'
import { showTab, useTab } from '../state/tab.ts'
import { localeOf } from '../text/locale.ts'
import { useTexts } from '../text/texts.ts'
import { useAnnouncement } from '../ui/announce.ts'
import { Toasts } from '../ui/toasts.tsx'
import { Banners } from './banners.tsx'
import { Errands } from './errands.tsx'
import { Header } from './header.tsx'
import { NeedsLink } from './needs-link.tsx'
import { tabs } from './tabs.ts'
import '../styles/app.css'

export function App() {
  const language = useLanguage()
  const theme = useChoices((choices) => choices.theme)
  useLayoutEffect(() => {
    document.documentElement.lang = localeOf[language]
    document.documentElement.dataset.theme = theme
  }, [language, theme])
  return (
    <I18nProvider locale={localeOf[language]}>
      <Frame />
      <Errands />
      <Announcements />
    </I18nProvider>
  )
}

function Frame() {
  const { app } = useTexts()
  const connection = useConnection(({ state }) => state)
  const { value: snapshot } = useMirror(appMirror)
  const chosen = useTab(({ tab }) => tab)
  if (connection === 'needs-link') return <NeedsLink />
  if (snapshot === null) return <p className="app-waiting">{app.connecting}</p>
  // Profiles opens first while there is no source, else Models (product.md, "Surfaces").
  const first = snapshot.sources === 0 ? 'profiles' : 'models'
  const shown = [chosen, first].find((wanted) => tabs.some(({ id }) => id === wanted)) ?? tabs[0]?.id ?? ''
  return (
    <Tabs className="app" selectedKey={shown} onSelectionChange={(key) => showTab(String(key))}>
      <Header snapshot={snapshot} />
      <main className="app-main">
        <Banners snapshot={snapshot} />
        {tabs.map(({ id, Page }) => (
          <TabPanel key={id} id={id} className="app-panel">
            <Suspense fallback={null}>
              <Page />
            </Suspense>
          </TabPanel>
        ))}
      </main>
      <Toasts />
    </Tabs>
  )
}

/** Outside everything that a dialog hides from screen readers. */
function Announcements() {
  const { text, turn } = useAnnouncement()
  return (
    <div className="visually-hidden" role="status" data-live-announcer="true">
      <span key={turn}>{text}</span>
    </div>
  )
}
