/** One build for every process: main (desktop and headless entries), later the preload and the window. */
import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {
    build: {
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          headless: 'src/main/headless.ts',
          'keychain-helper': 'src/main/adapters/vault/keychain-helper.ts',
          'calls-reader': 'src/main/adapters/sqlite/calls-reader.ts',
        },
      },
    },
  },
})
