import type { Context } from '../../../kernel/environment/context.ts'
import { beforeTimeAndId } from '../../../kernel/graph/connection.ts'
import type { IdentityRecord } from '../../../kernel/domain/identity-record.ts'

/** The filter for records. A field that is null matches everything. */
export interface IdentityFilter {
  person: string | null
  partyId: string | null
  clientId: string | null
  kind: IdentityRecord['kind'] | null
  outcome: IdentityRecord['outcome'] | null
  since: Date | null
  until: Date | null
}

/** Lists records, the latest first. */
export async function listIdentityRecords(
  { db }: Context,
  { since, until, ...textFilters }: IdentityFilter,
  after: string[] | null,
  take: number,
): Promise<IdentityRecord[]> {
  const given = Object.entries(textFilters).filter(([, value]) => value !== null)
  const rows = await db.identityRecord.findMany({
    where: {
      ...Object.fromEntries(given),
      AND: [
        since ? { at: { gte: since } } : {},
        until ? { at: { lt: until } } : {},
        beforeTimeAndId('at', 'recordId', after),
      ],
    },
    orderBy: [{ at: 'desc' }, { recordId: 'desc' }],
    take,
  })
  return rows as IdentityRecord[]
}
