/** What is coming and what it costs: forecast, calendar, what was lost, and how another strategy would have done. */
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useTexts } from '../text/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Calendar } from './calendar.tsx'
import { Forecast } from './forecast.tsx'
import { Rehearsal } from './rehearsal.tsx'
import { Waste } from './waste.tsx'
import '../styles/outlook.css'

const parts = [
  { id: 'forecast', Part: Forecast },
  { id: 'calendar', Part: Calendar },
  { id: 'waste', Part: Waste },
  { id: 'rehearsal', Part: Rehearsal },
] as const

export function OutlookDialog({ onClose }: { readonly onClose: () => void }) {
  const { outlook: texts } = useTexts()
  return (
    <Dialog title={texts.title} size="full" isOpen onClose={onClose}>
      <Tabs className="outlook">
        <TabList className="outlook-tabs" aria-label={texts.title}>
          {parts.map(({ id }) => (
            <Tab key={id} id={id} className="outlook-tab">
              {texts.parts[id]}
            </Tab>
          ))}
        </TabList>
        {parts.map(({ id, Part }) => (
          <TabPanel key={id} id={id} className="outlook-panel">
            <p className="field-hint">{texts.hints[id]}</p>
            <Part />
          </TabPanel>
        ))}
      </Tabs>
    </Dialog>
  )
}
