import { defineConfig } from 'vitest/config'

// vitest would load two copies of graphql, whose types then refuse each other.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

const project = (name: string, include: string[], options: object = {}) => ({
  resolve,
  test: { name, include, testTimeout: 20_000, hookTimeout: 60_000, ...options },
})
const database = { globalSetup: ['test/kit/global-setup.ts'] }

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // Pure: nothing to isolate, and they are to answer at once.
      project('domain', ['test/domain/**/*.test.ts'], { isolate: false, pool: 'threads' }),
      project('subgraphs', ['test/subgraphs/**/*.test.ts', 'test/oauth/**/*.test.ts'], database),
      project('graph', ['test/graph/**/*.test.ts'], database),
      project('contract', ['test/contract/**/*.test.ts'], database),
      project('rights', ['test/rights/**/*.test.ts'], { ...database, hookTimeout: 240_000 }),
      project('host', ['test/host/**/*.test.ts'], { ...database, testTimeout: 60_000 }),
      project('chaos', ['test/chaos/**/*.test.ts'], { testTimeout: 300_000 }),
      project('modes', ['test/modes/**/*.test.ts'], {
        ...database,
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('house', ['test/house/**/*.test.ts']),
    ],
  },
})
