import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { oncePerRun } from './once-per-run.ts'
import { createSecrets, type RunSecrets } from './run-secrets.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The run's own PostgreSQL: its maintenance database, and the migrated one to clone. */
    postgres: { adminUrl: string; template: string }
    secrets: RunSecrets
  }
}

/** Gives a project the run's PostgreSQL and secrets, which the projects share. */
export default async function provideDatabase(project: TestProject): Promise<() => Promise<void>> {
  const { value, release } = await oncePerRun('postgres', startDatabase)
  const { adminUrl, template, secrets } = value
  project.provide('postgres', { adminUrl, template })
  project.provide('secrets', secrets)
  return release
}

/** Where the system keeps files in memory, if there is enough; the temporary folder otherwise. */
async function fastFolder(): Promise<string> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 8 * 1024 ** 3 ? '/dev/shm' : tmpdir()
}

/** One PostgreSQL for the whole run, in a folder of its own that goes away with it, also after a crash. */
async function startDatabase() {
  const dataDir = await mkdtemp(join(await fastFolder(), 'bankgraph-test-'))
  const log: string[] = []
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (line) => log.push(line),
    isDurable: false,
    isTemporary: true,
    settings: { max_connections: '400', shared_buffers: '256MB', max_wal_size: '4GB' },
  }).catch((cause) => {
    throw new Error(`The tests have no database. ${log.slice(-5).join(' ')}`, { cause })
  })
  const template = 'bankgraph_template'
  await postgres.ensureDatabase(template)
  await migrate(postgres.url(template))
  return {
    adminUrl: postgres.url('postgres'),
    template,
    secrets: createSecrets(),
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
