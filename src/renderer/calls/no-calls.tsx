/** What stands in place of the log while it is empty, or while nothing in it matches. */
import { quoted } from '../../shared/posix-path.ts'
import { appMirror } from '../state/app.ts'
import { useMirror } from '../state/mirror.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Words } from '../ui/words.tsx'
import { clearFilters } from './filters.tsx'

export function NoCalls() {
  const { calls: texts } = useTexts()
  const { value: app } = useMirror(appMirror)
  if (app === null) return null
  const command = texts.curl(app.address, quoted(`${app.dataDir}/default-key`))
  return (
    <EmptyState
      title={texts.emptyTitle}
      action={
        <>
          <div className="call-command">
            <code>{command}</code>
            <CopyButton text={command} label={texts.copyCurl} />
          </div>
          <p className="empty-text">
            <Words text={texts.connect} />
          </p>
        </>
      }
    >
      {texts.empty}
    </EmptyState>
  )
}

export function NothingMatches() {
  const { calls: texts } = useTexts()
  return <EmptyState title={texts.nothingTitle} action={<Button onPress={clearFilters}>{texts.clear}</Button>} />
}
