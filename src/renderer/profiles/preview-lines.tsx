/** The exact lines that a file gains and loses, as a list, so that each line is read with what happens to it. */
import type { Client } from '../bridge/client.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'

export type Preview = Awaited<ReturnType<Client['clients']['preview']>>

export function PreviewLines({ path, isNew, lines }: Preview) {
  const { profiles: texts } = useTexts()
  return (
    <>
      <p>{isNew ? texts.connectNew(visible(path)) : texts.connectText(visible(path))}</p>
      <ol className="preview-lines" aria-label={texts.connectLines}>
        {lines.map(({ line, kind, text }) => (
          <li key={`${kind} ${line}`} className={`preview-line is-${kind}`}>
            <span aria-hidden="true">{kind === 'added' ? '+' : '−'}</span>
            <span className="visually-hidden">{kind === 'added' ? texts.lineAdded : texts.lineRemoved}</span>
            <code>{visible(text)}</code>
          </li>
        ))}
      </ol>
    </>
  )
}
