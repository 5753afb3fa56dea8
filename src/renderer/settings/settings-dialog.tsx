/** What the person may set; each change counts at once. */
import { useState } from 'react'
import { client, isDesktop } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { appMirror } from '../state/app.ts'
import { type Choices, choose, useChoices } from '../state/choices.ts'
import { useMirror } from '../state/mirror.ts'
import { type Settings, settingsMirror } from '../state/settings.ts'
import { useTexts } from '../text/texts.ts'
import { announce } from '../ui/announce.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Select, Switch } from '../ui/field.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Words } from '../ui/words.tsx'
import { DesktopSettings } from './desktop-settings.tsx'
import { Group } from './group.tsx'
import { NumberSetting } from './number-setting.tsx'
import { RoutingSettings } from './routing-settings.tsx'
import '../styles/settings.css'

const megabyte = 1024 * 1024

export interface SettingsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function SettingsDialog({ isOpen, onClose }: SettingsDialogProps) {
  const { settings: texts } = useTexts()
  return (
    <Dialog title={texts.title} size="wide" isOpen={isOpen} onClose={onClose}>
      <SettingsForm />
    </Dialog>
  )
}

function SettingsForm() {
  const { settings: texts } = useTexts()
  const { value, problem: readProblem } = useMirror(settingsMirror)
  const [problem, setProblem] = useState<Problem | null>(null)
  if (value === null) return <ProblemNotice problem={readProblem} />
  const set = async (change: Partial<Settings>) => {
    settingsMirror.foresee((settings) => ({ ...settings, ...change }))
    setProblem(null)
    try {
      await client.settings.set(change)
      announce(texts.saved)
    } catch (cause) {
      setProblem(problemOf(cause))
    }
    await settingsMirror.refresh()
  }
  return (
    <>
      <ProblemNotice problem={problem} />
      <Look onLanguage={(next) => isDesktop && void set({ language: next })} />
      {isDesktop && <DesktopSettings value={value} set={set} />}
      <RoutingSettings value={value} set={set} />
      <Group title={texts.address}>
        <NumberSetting
          label={texts.proxyPort}
          hint={texts.proxyPortHint}
          value={value.proxyPort}
          least={0}
          most={65_535}
          onChange={(proxyPort) => set({ proxyPort })}
        />
        <NumberSetting
          label={texts.bodyLimit}
          hint={texts.bodyLimitHint}
          value={Math.round(value.bodyLimitBytes / megabyte)}
          least={1}
          most={1_024}
          onChange={(count) => set({ bodyLimitBytes: count * megabyte })}
        />
      </Group>
      <Group title={texts.storage}>
        <NumberSetting
          label={texts.retentionDays}
          hint={texts.retentionDaysHint}
          value={value.retentionDays}
          least={1}
          most={3_650}
          onChange={(retentionDays) => set({ retentionDays })}
        />
        <NumberSetting
          label={texts.retentionSize}
          hint={texts.retentionSizeHint}
          value={Math.round(value.retentionBytes / megabyte)}
          least={16}
          most={1_048_576}
          onChange={(count) => set({ retentionBytes: count * megabyte })}
        />
        <Facts />
      </Group>
      <Group title={texts.advanced}>
        <Switch
          label={texts.debugRoutes}
          hint={texts.debugRoutesHint}
          isOn={value.debugRoutes}
          onChange={(debugRoutes) => void set({ debugRoutes })}
        />
      </Group>
    </>
  )
}

/** Tray and notifications of the desktop app speak as its window does. */
function Look({ onLanguage }: { readonly onLanguage: (language: Choices['language']) => void }) {
  const { settings: texts } = useTexts()
  const { theme, language } = useChoices()
  return (
    <Group title={texts.look}>
      <Select
        label={texts.theme}
        hint={isDesktop ? texts.lookHintDesktop : texts.lookHint}
        value={theme}
        choices={(['system', 'light', 'dark'] as const).map((id) => ({ id, text: texts.themes[id] }))}
        onChange={(next) => choose({ theme: next })}
      />
      <Select
        label={texts.language}
        hint={isDesktop ? texts.lookHintDesktop : texts.lookHint}
        value={language}
        choices={(['system', 'en', 'zh'] as const).map((id) => ({
          id,
          text: isDesktop && id === 'system' ? texts.themes.system : texts.languages[id],
        }))}
        onChange={(next) => {
          choose({ language: next })
          onLanguage(next)
        }}
      />
    </Group>
  )
}

/** What is shown and not set here. */
function Facts() {
  const { settings: texts } = useTexts()
  const { value: snapshot } = useMirror(appMirror)
  if (snapshot === null) return null
  return (
    <dl className="settings-facts">
      <div>
        <dt>{texts.vault}</dt>
        <dd>{texts.vaultKinds[snapshot.vault.kind]}</dd>
        <dd className="field-hint">
          <Words text={texts.vaultHint} />
        </dd>
      </div>
      <div>
        <dt>{texts.data}</dt>
        <dd>
          <code>{snapshot.dataDir}</code>
        </dd>
        <dd className="field-hint">{texts.version(snapshot.version)}</dd>
      </div>
    </dl>
  )
}
