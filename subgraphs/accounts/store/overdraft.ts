import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { bankDateSql, isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { overdraftSnapshot, type OverdraftEvent } from '../events.ts'
import type { Overdraft } from '../model/overdraft.ts'

export const overdraftTable = tableOf<Overdraft, Prisma.AccountOverdraftGetPayload<object>>(
  'accounts.overdraft',
  'overdraftId',
  ({ db }) => db.accountOverdraft,
  (row) => ({
    ...row,
    state: row.state as Overdraft['state'],
    validFrom: dateOf(row.validFrom),
    validTo: row.validTo && dateOf(row.validTo),
    nextChangeOn: row.nextChangeOn && dateOf(row.nextChangeOn),
    floatingRate: row.floatingRate as Overdraft['floatingRate'],
  }),
)

export const overdraftKind: RecordKind<Overdraft, OverdraftEvent> = {
  ...overdraftTable,
  entity: 'overdraft',
  id: 'overdraft',
  notFound: 'OVERDRAFT_NOT_FOUND',
  created: 'accounts.overdraft.proposed',
  snapshot: overdraftSnapshot,
  // Proposals are internal to the bank.
  ownersOf: ({ state, partyId }) => (state === 'approved' ? [partyId] : []),
  isPublished: false,
}

const approvalOrder = [{ decidedAt: 'asc' }, { overdraftId: 'asc' }]

/** Reads the approved overdrafts of an account in the order of their approval. */
export function findApprovedOverdrafts(
  context: Context,
  arrangementId: string,
): Promise<Overdraft[]> {
  const where = { arrangementId, state: 'approved' }
  return overdraftTable.findMany(context, { where, orderBy: approvalOrder })
}

/**
 * Loads overdrafts by ID. Delegated users get only approved overdrafts of accounts that they own or
 * are entitled to see.
 */
export const loadOverdraft = loader<string, Overdraft>(async (context, ids) => {
  const found = await overdraftTable.loadMany(context, ids)
  if (context.caller.partyId === null) return found
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  return found.map((each) => (each && isVisible(context, each, grantedIds) ? each : null))
})

/** Loads the approved overdrafts of accounts, in the order of their approval. */
export const loadOverdraftsOf = loader<string, Overdraft[]>(async (context, ids) => {
  const where = { arrangementId: { in: [...ids] }, state: 'approved' }
  const found = await overdraftTable.findMany(context, { where, orderBy: approvalOrder })
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  const visible = found.filter((each) => isVisible(context, each, grantedIds))
  return ids.map((id) => visible.filter(({ arrangementId }) => arrangementId === id))
})

function isVisible(
  context: Context,
  { state, partyId, arrangementId }: Overdraft,
  grantedIds: ReadonlySet<string>,
): boolean {
  return (
    state === 'approved' && (maySee(context.caller, [partyId]) || grantedIds.has(arrangementId))
  )
}

/** Whether the limit of an account has to be changed, in an expression that the heartbeat evaluates. */
export const areLimitsDueSql = isAnyDueSql(
  'accounts.overdraft',
  'next_change_on',
  `next_change_on <= ${bankDateSql}`,
)

const dueSql =
  'select distinct arrangement_id as id from accounts.overdraft where next_change_on <= $1::date ' +
  'order by 1 limit $2'

/** Reads the IDs of accounts whose limit has to be changed on or before a day. */
export async function readAccountsWithDueLimit(
  { bank }: Context,
  day: LocalDate,
  take: number,
): Promise<string[]> {
  const rows = await readRows<{ id: string }>(bank, dueSql, [day, take])
  return rows.map(({ id }) => id)
}
