import type { Prisma } from '../../../prisma/client/client.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { rateOverrideEvents, type RateOverrideEvent } from '../events.ts'
import type { RateOverride } from '../model/rate-override.ts'

export const rateOverrideTable = tableOf<
  RateOverride,
  Prisma.InterestRateOverrideGetPayload<object>
>(
  'interest.rate_override',
  'rateOverrideId',
  ({ db }) => db.interestRateOverride,
  (row) => ({
    ...row,
    state: row.state as RateOverride['state'],
    validFrom: dateOf(row.validFrom),
    validTo: row.validTo && dateOf(row.validTo),
  }),
)

export const rateOverrideKind: RecordKind<RateOverride, RateOverrideEvent> = {
  ...rateOverrideEvents,
  ...rateOverrideTable,
  id: 'rateOverride',
  notFound: 'RATE_OVERRIDE_NOT_FOUND',
  created: 'accounts.interest-rate-override.proposed',
  // Proposals are internal to the bank.
  ownersOf: () => [],
  isPublished: false,
}

/** Reads the approved rates of accounts. */
export function findApprovedRates(
  context: Context,
  arrangementIds: readonly string[],
): Promise<RateOverride[]> {
  const where = { arrangementId: { in: [...arrangementIds] }, state: 'approved' }
  return rateOverrideTable.findMany(context, { where })
}

/** Loads records by ID. For delegated users, the result is null, because only the bank sees them. */
export const loadRateOverride = loader<string, RateOverride>((context, ids) =>
  context.caller.partyId === null
    ? rateOverrideTable.loadMany(context, ids)
    : Promise.resolve(ids.map(() => null)),
)
