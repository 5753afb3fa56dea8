/** The file that makes a Linux desktop start the program at login; pure. */

/** Started so, the window stays hidden. */
export const hiddenFlag = '--hidden'

export function autostartFile(program: string): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Pointsman',
    `Exec=${quoted(program)} ${hiddenFlag}`,
    'Icon=pointsman',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ]
  return lines.join('\n')
}

/** As the Desktop Entry specification quotes an argument: reserved letters escaped, field codes doubled. */
const quoted = (program: string): string =>
  `"${program
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`
