import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { openDatabase } from '../../kernel/database/db.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { freshDatabase } from '../kit/database.ts'

const folder = join(projectRoot, 'prisma', 'schema')

// The migrations are plain SQL and Prisma's schema is written by hand beside them: every model must
// find its table and all of its columns in a migrated database.
test('every Prisma model finds its table and columns in a migrated database', async () => {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, pino({ level: 'silent' }))
  const models = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^model (\w)(\w*)/gm)].map(
      ([, first, rest]) => first!.toLowerCase() + rest!,
    ),
  )
  expect(models.length).toBeGreaterThan(15)
  const byName = database.db as never as Record<string, { findFirst(): Promise<null> }>
  for (const model of models) {
    const read = byName[model]!.findFirst().then(
      () => 'read',
      (error: Error) => `${model}: ${error.message}`,
    )
    expect(await read).toBe('read')
  }
  await database.close()
  await fresh.drop()
})
