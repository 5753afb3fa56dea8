/** The desktop entry: hands over where the built files lie. Nothing may be awaited here, or Electron never gets ready. */
import { run } from './shell/desktop/run.ts'

void run({
  callsReader: new URL('./calls-reader.js', import.meta.url),
  translationWorker: new URL('./translation-worker.js', import.meta.url),
  keychainHelper: new URL('./keychain-helper.js', import.meta.url),
  packageFile: new URL('../../package.json', import.meta.url),
  preload: new URL('../preload/index.cjs', import.meta.url),
  windowFiles: new URL('../renderer/', import.meta.url),
  resources: new URL('../../resources/', import.meta.url),
})
