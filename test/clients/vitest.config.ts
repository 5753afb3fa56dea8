/** The suite with the real clients; `scripts/test-clients.mjs` starts it inside a network namespace. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    exclude: ['node_modules/**'],
    globalSetup: ['namespace.ts'],
    // A fixture is written only when asked for, with `--update`.
    update: 'none',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The clients are heavy programs; side by side they would only slow each other down.
    maxWorkers: 1,
    fileParallelism: false,
  },
})
