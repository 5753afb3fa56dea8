/**
 * Puts the stand-in in Electron's place: `node --import …/register.ts out/main/index.js`. The built program runs
 * unchanged; only the name `electron` leads here.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
