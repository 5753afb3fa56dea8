/** The version of the program, from its own package file. */
import { readFileSync } from 'node:fs'

export function versionOf({ packageFile }: { readonly packageFile: URL }): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  return version
}
