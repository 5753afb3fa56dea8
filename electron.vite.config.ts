/** One build for every process: main (desktop and headless entries), the preload and the window. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

/** React Aria brings its own texts in 34 languages (110 kB of the window); it speaks two. */
const twoLanguages = {
  name: 'two-languages',
  load: (id: string) => (/\/intl\/[^/]+\/(?!en-US|zh-CN)[a-z]{2}-[A-Z]{2}\.mjs$/.test(id) ? 'export default {}' : null),
}

export default defineConfig({
  main: {
    build: {
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          'keychain-helper': 'src/main/adapters/vault/keychain-helper.ts',
          'calls-reader': 'src/main/adapters/sqlite/calls-reader.ts',
          'translation-worker': 'src/main/translation-worker.ts',
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can load one CommonJS file only (stack-notes §1).
      externalizeDeps: false,
      rolldownOptions: { input: { index: 'src/preload/index.ts' }, output: { format: 'cjs' } },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react(), twoLanguages],
    build: {
      target: 'chrome140',
      minify: true,
      // Inlined files would be `data:` addresses, which the policy forbids.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: 'src/renderer/index.html' },
    },
  },
})
