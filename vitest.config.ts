/** Two runners: `unit` needs nothing but Node; `integration` drives the built program and real parts. */
import { defineConfig } from 'vitest/config'

const real = ['test/{adapters,practice,program}/**/*.test.ts', 'test/**/*.real.test.ts']

/** Nothing leaves this machine. */
const setupFiles = ['test/net/setup.ts']

const inCi = process.env.CI !== undefined && process.env.CI !== '0' && process.env.CI !== ''

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles,
          include: ['test/**/*.test.ts'],
          exclude: [...real, 'test/clients/**', '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles,
          include: real,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // Real processes on a shared machine: one more try, which the report shows.
          retry: inCi ? 1 : 0,
        },
      },
    ],
  },
})
