import type { Logger } from 'pino'
import { seedFixtures } from '../../host/fixtures.ts'
import type { EnvironmentName } from '../../kernel/environment/config.ts'
import { filledTemplate, freshDatabase } from './database.ts'
import { aPlatform, eventually, theGraph, type Platform } from './platform.ts'

/** Whether events wait for their position, or the loans of the fixtures for their loss allowance. */
const isWorkingSql =
  'select exists (select from kernel.outbox) or ' +
  "not exists (select from ledger.entry where account_id like 'loan-loss-allowance/%') as working"

/**
 * Starts an environment with the fixtures of the sandbox. They are executed once in a run and day, and
 * each platform starts on a copy of the result. So the database is the test's own, but what the fixtures
 * did "now" may be hours old. Unless it is quiet, the workers have processed the fixtures' events.
 */
export async function aSeededPlatform(
  environment: EnvironmentName = 'sandbox',
  isQuiet = false,
  settings: Record<string, string> = {},
  log?: Logger,
): Promise<Platform & { databaseUrl: string }> {
  const { ENCRYPT_PERSONAL_DATA = process.env['ENCRYPT_PERSONAL_DATA'] ?? 'off' } = settings
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const name = `seeded_${environment}_${ENCRYPT_PERSONAL_DATA}_${isQuiet ? 'quiet' : 'worked'}_${today}`
  const template = await filledTemplate(name, async (url) => {
    // As when the program starts: the workers begin once the fixtures are executed.
    const seeding = await aPlatform(environment, url, true, { ENCRYPT_PERSONAL_DATA })
    await seedFixtures(await theGraph(), seeding.bank)
    await seeding.stop()
    if (isQuiet) return
    const working = await aPlatform(environment, url, false, { ENCRYPT_PERSONAL_DATA })
    const { pool } = working.bank
    await eventually(async () => !(await pool.query(isWorkingSql)).rows[0].working, 60_000)
    await working.stop()
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
