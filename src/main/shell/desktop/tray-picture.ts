/** Which picture shows a state of the tray; pure. */
import type { Platform } from './tray-menu.ts'
import type { TrayState } from './tray-state.ts'

/** A template for macOS, by the task bar's theme for Windows, light for the panels of Linux (ux B2). */
export function trayPicture(state: TrayState, platform: Platform, isDark: boolean): string {
  if (platform === 'mac') return `${state}Template.png`
  return platform === 'windows' ? `${state}-${isDark ? 'light' : 'dark'}.ico` : `${state}-light.png`
}
