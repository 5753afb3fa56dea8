/** Shown when this browser is not, or no longer, let in: how to get a fresh link. */
import { useTexts } from '../text/texts.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Logo } from './logo.tsx'

const command = 'pointsman open'

export function NeedsLink() {
  const { app, ui } = useTexts()
  return (
    <main className="needs-link">
      <Logo />
      <h1>{app.needsLinkTitle}</h1>
      <p>{app.needsLink}</p>
      <div className="app-address">
        <code>{command}</code>
        <CopyButton text={command} label={`${ui.copy}: ${command}`} />
      </div>
    </main>
  )
}
