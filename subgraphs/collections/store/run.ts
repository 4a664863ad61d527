import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { CollectionsRun } from '../model/episode.ts'

export const runs = tableOf<CollectionsRun, Prisma.CollectionsRunGetPayload<object>>(
  'collections.run',
  'businessDate',
  ({ db }) => db.collectionsRun,
  (row) => ({
    ...row,
    status: row.status as CollectionsRun['status'],
    phase: row.phase as CollectionsRun['phase'],
  }),
)

/** Finds the run of the latest business date; null if there was none. */
export async function findLatestRun(context: Context): Promise<CollectionsRun | null> {
  const [found] = await runs.findMany(context, { orderBy: { businessDate: 'desc' }, take: 1 })
  return found ?? null
}

/** Finds runs that have not reached their end. */
export function findUnfinished(context: Context): Promise<CollectionsRun[]> {
  return runs.findMany(context, { where: { status: 'running' } })
}
