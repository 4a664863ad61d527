import { defineConfig } from 'vitest/config'

// vitest would load two copies of graphql, whose types then refuse each other.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

const project = (name: string, include: string[], options: object = {}) => ({
  resolve,
  test: { name, include, testTimeout: 20_000, hookTimeout: 60_000, ...options },
})
const database = 'test/kit/global-setup.ts'
const program = 'test/kit/built-program.ts'
/**
 * The files of a project run in the same processes, so that the product is loaded and compiled once
 * for each process and not for each file.
 */
const shared = { isolate: false }
const mocked = ['test/rights/*-mutant.test.ts', 'test/rights/row-security.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // Pure code.
      project('domain', ['test/domain/**/*.test.ts'], { ...shared, pool: 'threads' }),
      project('subgraphs', ['test/subgraphs/**/*.test.ts', 'test/oauth/**/*.test.ts'], {
        ...shared,
        globalSetup: [database],
      }),
      project('graph', ['test/graph/**/*.test.ts'], { ...shared, globalSetup: [database] }),
      project('contract', ['test/contract/**/*.test.ts'], { ...shared, globalSetup: [database] }),
      project('rights', ['test/rights/**/*.test.ts'], {
        ...shared,
        exclude: mocked,
        globalSetup: [database],
        hookTimeout: 240_000,
      }),
      // Each file replaces modules, so each needs its own process.
      project('rights-mocked', mocked, { globalSetup: [database], hookTimeout: 240_000 }),
      project('host', ['test/host/**/*.test.ts'], {
        globalSetup: [database, program],
        testTimeout: 60_000,
      }),
      project('chaos', ['test/chaos/**/*.test.ts'], {
        globalSetup: [program],
        testTimeout: 300_000,
      }),
      project('modes', ['test/modes/**/*.test.ts'], {
        globalSetup: [database, program],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('console', ['test/console/**/*.test.ts'], {
        globalSetup: [database],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('house', ['test/house/**/*.test.ts'], shared),
    ],
  },
})
