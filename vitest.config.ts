import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import type { Vite } from 'vitest/node'
import { TestOrder } from './test/kit/test-order.ts'

// vitest would load two copies of graphql, whose types then refuse each other.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

/** How TypeScript is transformed also depends on this file, which vitest leaves out of its cache keys. */
const tsconfig = readFileSync(new URL('tsconfig.json', import.meta.url), 'utf8')
const readTsconfig = () => tsconfig
const cacheKey: Vite.Plugin = {
  name: 'bankgraph:cache-key',
  configureVitest: ({ experimental_defineCacheKeyGenerator }) =>
    experimental_defineCacheKeyGenerator(readTsconfig),
}

const project = (name: string, include: string[], options: object = {}) => ({
  resolve,
  plugins: [cacheKey],
  test: {
    name,
    include,
    setupFiles: ['test/kit/test-titles.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    ...options,
  },
})
const database = 'test/kit/global-setup.ts'
const program = 'test/kit/built-program.ts'
/**
 * The files of a project run in the same processes, so that the product is loaded and compiled once
 * for each process and not for each file.
 */
const shared = { isolate: false }
const mocked = ['test/rights/without-checks.test.ts']
const folders = (...names: string[]) => names.map((name) => `test/${name}/**/*.test.ts`)

export default defineConfig({
  test: {
    // Tests also wait: for locks, timers, the database, programs and the browser.
    maxWorkers: availableParallelism() + 1,
    // Transformed modules are shared by the projects and kept for the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    sequence: { sequencer: TestOrder },
    projects: [
      // Pure code.
      project('domain', folders('domain'), { ...shared, pool: 'threads' }),
      // The product, loaded once for all of them.
      project(
        'bank',
        folders(
          'subgraphs',
          'oauth',
          'graph',
          'contract',
          'rights',
          'console',
          'sdk',
          'examples',
          'house',
        ),
        {
          ...shared,
          exclude: mocked,
          globalSetup: [database],
          testTimeout: 60_000,
          hookTimeout: 240_000,
        },
      ),
      // The file replaces modules, so it needs its own process.
      project('mocked', mocked, { globalSetup: [database], hookTimeout: 240_000 }),
      // Each file starts programs, and kills them.
      project('programs', folders('host', 'chaos', 'modes'), {
        ...shared,
        globalSetup: [database, program],
        testTimeout: 300_000,
        hookTimeout: 120_000,
      }),
    ],
  },
})
