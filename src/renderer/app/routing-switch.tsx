/** Whether routing runs, with the one press that pauses or resumes it. */
import { Button as AriaButton } from 'react-aria-components'
import { client } from '../bridge/client.ts'
import { problemOf } from '../bridge/problem.ts'
import { appMirror } from '../state/app.ts'
import { toast } from '../state/toasts.ts'
import { useTexts } from '../text/texts.ts'
import { announce } from '../ui/announce.ts'
import { StateShape } from '../ui/state-mark.tsx'
import { Tip } from '../ui/tooltip.tsx'

export function RoutingSwitch({ paused }: { readonly paused: boolean }) {
  const { app, said } = useTexts()
  const action = paused ? app.resumeRouting : app.pauseRouting
  const press = async () => {
    appMirror.foresee((snapshot) => ({ ...snapshot, paused: !paused }))
    try {
      await (paused ? client.app.resume({}) : client.app.pause({}))
      announce(paused ? app.routingResumed : app.routingPaused)
    } catch (cause) {
      toast(said.problem(problemOf(cause)))
    }
    await appMirror.refresh()
  }
  const word = paused ? app.paused : app.routing
  return (
    <Tip text={action}>
      <AriaButton
        className="button button-quiet routing-switch"
        aria-label={`${word}. ${action}`}
        onPress={() => void press()}
      >
        <StateShape tone={paused ? 'warn' : 'good'} />
        {/* Both words hold the place, so that the header never moves. */}
        <span className="routing-words" aria-hidden="true">
          <span className={paused ? 'is-hidden' : ''}>{app.routing}</span>
          <span className={paused ? '' : 'is-hidden'}>{app.paused}</span>
        </span>
      </AriaButton>
    </Tip>
  )
}
