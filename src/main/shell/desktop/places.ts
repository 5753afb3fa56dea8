/** Where the built files and pictures of the desktop app lie; only the entry knows. */
import type { Places } from '../headless/serve.ts'

export interface DesktopPlaces extends Places {
  /** One CommonJS file. */
  readonly preload: URL
  /** The folder of the generated pictures. */
  readonly resources: URL
}
