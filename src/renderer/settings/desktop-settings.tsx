/** What only the desktop app heeds: how it starts and closes, updates, and which notifications it shows. */
import type { Client } from '../bridge/client.ts'
import { useTexts } from '../text/texts.ts'
import { Switch } from '../ui/field.tsx'
import { Group } from './group.tsx'

type Settings = Awaited<ReturnType<Client['settings']['get']>>

export interface DesktopSettingsProps {
  readonly value: Settings
  readonly set: (change: Partial<Settings>) => Promise<void>
}

const notices = [
  'notifyLow',
  'notifyExhausted',
  'notifyReset',
  'notifyWaste',
  'notifySwitched',
  'notifySignIn',
] as const
const habits = ['launchAtLogin', 'closeToTray', 'checkForUpdates'] as const

export function DesktopSettings({ value, set }: DesktopSettingsProps) {
  const { settings: texts } = useTexts()
  return (
    <>
      <Group title={texts.desktop}>
        <div className="settings-switches">
          {habits.map((name) => (
            <Switch
              key={name}
              label={texts.desktopHabits[name].label}
              hint={texts.desktopHabits[name].hint}
              isOn={value[name]}
              onChange={(isOn) => void set({ [name]: isOn })}
            />
          ))}
        </div>
      </Group>
      <Group title={texts.notifications}>
        <div className="settings-switches">
          {notices.map((name) => (
            <Switch
              key={name}
              label={texts.notices[name].label}
              hint={texts.notices[name].hint}
              isOn={value[name]}
              onChange={(isOn) => void set({ [name]: isOn })}
            />
          ))}
        </div>
      </Group>
    </>
  )
}
