import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { strategyEvents, type StrategyEvent } from '../events.ts'
import type { CollectionsStrategy } from '../model/strategy.ts'

export const strategies = tableOf<
  CollectionsStrategy,
  Prisma.CollectionsStrategyGetPayload<object>
>(
  'collections.strategy',
  'collectionsStrategyId',
  ({ db }) => db.collectionsStrategy,
  (row) => ({
    ...row,
    effectiveFrom: dateOf(row.effectiveFrom),
    segment: row.segment as CollectionsStrategy['segment'],
    status: row.status as CollectionsStrategy['status'],
    minimumAmounts: row.minimumAmounts as unknown as CollectionsStrategy['minimumAmounts'],
    steps: row.steps as unknown as CollectionsStrategy['steps'],
  }),
)

export const strategyKind: RecordKind<CollectionsStrategy, StrategyEvent> = {
  ...strategies,
  ...strategyEvents,
  id: 'collectionsStrategy',
  notFound: 'COLLECTIONS_STRATEGY_NOT_FOUND',
  created: 'collections.strategy.proposed',
  ownersOf: () => [],
  isPublished: false,
}

/** Finds all strategies that were approved. */
export function findApproved(context: Context): Promise<CollectionsStrategy[]> {
  return strategies.findMany(context, { where: { status: 'approved' } })
}

/** Loads strategies by ID. For delegated users, the result is null. */
export const loadStrategy = loader<string, CollectionsStrategy>(async (context, ids) =>
  context.caller.partyId === null ? strategies.loadMany(context, ids) : ids.map(() => null),
)
