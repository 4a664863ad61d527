import type { Logger } from 'pino'
import { seedFixtures } from '../../host/fixtures.ts'
import type { EnvironmentName } from '../../kernel/environment/config.ts'
import { filledTemplate, freshDatabase } from './database.ts'
import { aPlatform, eventually, theGraph, type Platform } from './platform.ts'

const waiting = 'select from kernel.outbox limit 1'

/**
 * Starts an environment with the fixtures of the sandbox. They are executed once in a run, and each
 * platform starts on a copy of the result. So the database is the test's own, but what the fixtures did
 * "now" may be as old as the run. Unless it is quiet, the workers have processed the fixtures' events.
 */
export async function aSeededPlatform(
  environment: EnvironmentName = 'sandbox',
  isQuiet = false,
  settings: Record<string, string> = {},
  log?: Logger,
): Promise<Platform & { databaseUrl: string }> {
  const { ENCRYPT_PERSONAL_DATA = process.env['ENCRYPT_PERSONAL_DATA'] ?? 'off' } = settings
  const name = `seeded_${environment}_${ENCRYPT_PERSONAL_DATA}_${isQuiet ? 'quiet' : 'worked'}`
  const template = await filledTemplate(name, async (url) => {
    const seeded = await aPlatform(environment, url, isQuiet, { ENCRYPT_PERSONAL_DATA })
    const { pool } = seeded.bank
    await seedFixtures(await theGraph(), seeded.bank)
    if (!isQuiet) await eventually(async () => (await pool.query(waiting)).rowCount === 0, 60_000)
    await seeded.stop()
  })
  const database = await freshDatabase(template)
  const platform = await aPlatform(environment, database.url, isQuiet, settings, log)
  return {
    ...platform,
    databaseUrl: database.url,
    async stop() {
      await platform.stop()
      await database.drop()
    },
  }
}
