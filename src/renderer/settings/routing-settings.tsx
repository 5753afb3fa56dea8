/** How calls are routed: attempts, spent windows, failing over, and what is only watched. */
import type { Settings } from '../state/settings.ts'
import { useTexts } from '../text/texts.ts'
import { Select, Switch } from '../ui/field.tsx'
import { Group } from './group.tsx'
import { NumberSetting } from './number-setting.tsx'

export interface RoutingSettingsProps {
  readonly value: Settings
  readonly set: (change: Partial<Settings>) => Promise<void>
}

const minuteMs = 60_000
const mostMinutes = 24 * 60
const switches = ['retryAmbiguous', 'inherit', 'strictTranslation', 'shadow'] as const

export function RoutingSettings({ value, set }: RoutingSettingsProps) {
  const { settings: texts } = useTexts()
  return (
    <Group title={texts.routing}>
      <NumberSetting
        label={texts.attempts}
        hint={texts.attemptsHint}
        value={value.attempts}
        least={1}
        most={20}
        onChange={(attempts) => set({ attempts })}
      />
      <NumberSetting
        label={texts.holdMs}
        hint={texts.holdMsHint}
        value={value.holdMs}
        least={0}
        most={60_000}
        onChange={(holdMs) => set({ holdMs })}
      />
      <NumberSetting
        label={texts.newSessionMinRemaining}
        hint={texts.newSessionMinRemainingHint}
        value={value.newSessionMinRemaining}
        least={0}
        most={100}
        onChange={(newSessionMinRemaining) => set({ newSessionMinRemaining })}
      />
      <NumberSetting
        label={texts.failoverAtOnce}
        hint={texts.failoverAtOnceHint}
        value={value.failoverAtOnce}
        least={1}
        most={100}
        onChange={(failoverAtOnce) => set({ failoverAtOnce })}
      />
      <Select
        label={texts.atLimit}
        hint={texts.atLimitHint}
        value={value.atLimit}
        choices={(['move', 'wait', 'ask'] as const).map((id) => ({ id, text: texts.atLimitChoices[id] }))}
        onChange={(atLimit) => void set({ atLimit })}
      />
      <NumberSetting
        label={texts.waitForReset}
        hint={texts.waitForResetHint}
        value={Math.round(value.waitForResetMs / minuteMs)}
        least={0}
        most={mostMinutes}
        onChange={(minutes) => set({ waitForResetMs: minutes * minuteMs })}
      />
      <div className="settings-switches">
        {switches.map((name) => (
          <Switch
            key={name}
            label={texts[name]}
            hint={texts[`${name}Hint`]}
            isOn={value[name]}
            onChange={(isOn) => void set({ [name]: isOn })}
          />
        ))}
      </div>
    </Group>
  )
}
