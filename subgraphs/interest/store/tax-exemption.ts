import type { Prisma } from '../../../prisma/client/client.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { taxExemptionEvents, type TaxExemptionEvent } from '../events.ts'
import type { TaxExemption } from '../model/tax-exemption.ts'

export const taxExemptionTable = tableOf<
  TaxExemption,
  Prisma.InterestTaxExemptionGetPayload<object>
>(
  'interest.tax_exemption',
  'taxExemptionId',
  ({ db }) => db.interestTaxExemption,
  (row) => ({
    ...row,
    state: row.state as TaxExemption['state'],
    validFrom: dateOf(row.validFrom),
    validTo: row.validTo && dateOf(row.validTo),
    revokedOn: row.revokedOn && dateOf(row.revokedOn),
  }),
)

export const taxExemptionKind: RecordKind<TaxExemption, TaxExemptionEvent> = {
  ...taxExemptionEvents,
  ...taxExemptionTable,
  id: 'taxExemption',
  notFound: 'TAX_EXEMPTION_NOT_FOUND',
  created: 'accounts.interest-tax-exemption.granted',
  ownersOf: ({ partyId }) => [partyId],
  isPublished: false,
}

/** Reads the tax exemptions of accounts, with those that were revoked. */
export function findExemptions(
  context: Context,
  arrangementIds: readonly string[],
): Promise<TaxExemption[]> {
  return taxExemptionTable.findMany(context, {
    where: { arrangementId: { in: [...arrangementIds] } },
  })
}

/** Loads records by ID. For delegated users, the result is null, because only the bank sees them. */
export const loadTaxExemption = loader<string, TaxExemption>((context, ids) =>
  context.caller.partyId === null
    ? taxExemptionTable.loadMany(context, ids)
    : Promise.resolve(ids.map(() => null)),
)
