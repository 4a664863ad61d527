import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The run's own PostgreSQL: its maintenance database, and the migrated one to clone. */
    postgres: { adminUrl: string; template: string }
  }
}

/** One PostgreSQL for the whole run, in a folder of its own that goes away with it, also after a crash. */
export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-test-'))
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
  project.provide('postgres', { adminUrl: postgres.url('postgres'), template })
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
