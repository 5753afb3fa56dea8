/** Asks for the format, then shows how far the export is; it can be stopped. */
import { useEffect, useRef, useState } from 'react'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { toast } from '../state/toasts.ts'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { OneOf } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Meter } from '../ui/meter.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import type { Filter } from './call-types.ts'
import { type ExportFormat, exportCalls, saveFile } from './export-calls.ts'

export interface ExportDialogProps {
  readonly filter: Filter
  readonly total: number
  readonly onClose: () => void
}

export function ExportDialog({ filter, total, onClose }: ExportDialogProps) {
  const { calls: texts, ui } = useTexts()
  const format = useFormat()
  const [kind, setKind] = useState<ExportFormat>('csv')
  const [count, setCount] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const stop = () => {
    running.current?.abort()
    setCount(null)
  }
  const begin = async () => {
    const abort = new AbortController()
    running.current = abort
    setProblem(null)
    setCount(0)
    let done = 0
    const onProgress = (so: number) => {
      done = so
      setCount(so)
    }
    try {
      const blob = await exportCalls({ format: kind, filter, signal: abort.signal, onProgress })
      saveFile(blob, `pointsman-calls-${new Date().toISOString().slice(0, 10)}.${kind}`)
      toast(texts.exported(format.number(done)))
      onClose()
    } catch (cause) {
      if (!abort.signal.aborted) setProblem(problemOf(cause))
      setCount(null)
    }
  }
  const isRunning = count !== null
  return (
    <Dialog title={texts.exportTitle} isOpen isLight={!isRunning} onClose={onClose}>
      <Form
        onSubmit={begin}
        foot={
          <>
            <Button onPress={isRunning ? stop : onClose}>{isRunning ? texts.stop : ui.cancel}</Button>
            <Button kind="primary" type="submit" isDisabled={isRunning}>
              {texts.export}
            </Button>
          </>
        }
      >
        <p>{texts.exportIntro}</p>
        <OneOf
          label={texts.format}
          value={kind}
          choices={(['csv', 'json'] as const).map((id) => ({
            id,
            text: texts.formats[id],
            hint: texts.formatHints[id],
          }))}
          onChange={setKind}
        />
        <Meter
          label={texts.title}
          percent={total === 0 ? 0 : (100 * (count ?? 0)) / total}
          text={
            isRunning ? texts.exporting(format.number(count), format.number(total)) : texts.found(format.number(total))
          }
          tone="good"
        />
        <ProblemNotice problem={problem} />
      </Form>
    </Dialog>
  )
}
