import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { columnsOf, tableOf } from '../../../kernel/writing/table.ts'
import { insert, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { termDepositSnapshot, type TermDepositEvent } from '../events.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import type { OwnEntry } from './movement.ts'

const tableName = 'interest.term_deposit'

export const termDepositTable = tableOf<TermDeposit, Prisma.InterestTermDepositGetPayload<object>>(
  tableName,
  'termDepositId',
  ({ db }) => db.interestTermDeposit,
  (row) => ({
    ...row,
    state: row.state as TermDeposit['state'],
    maturityInstruction: row.maturityInstruction as TermDeposit['maturityInstruction'],
    earlyWithdrawal: row.earlyWithdrawal as unknown as TermDeposit['earlyWithdrawal'],
    startsOn: dateOf(row.startsOn),
    maturesOn: dateOf(row.maturesOn),
    endsOn: dateOf(row.endsOn),
    endedOn: row.endedOn && dateOf(row.endedOn),
    noticeGivenOn: row.noticeGivenOn && dateOf(row.noticeGivenOn),
  }),
)

export const termDepositKind: RecordKind<TermDeposit, TermDepositEvent> = {
  ...termDepositTable,
  entity: 'term-deposit',
  id: 'termDeposit',
  notFound: 'TERM_DEPOSIT_NOT_FOUND',
  created: 'accounts.term-deposit.opened',
  snapshot: termDepositSnapshot,
  ownersOf: ({ partyId }) => [partyId],
  // The fact has the account as its subject.
  isPublished: false,
}

const oldestFirst = [{ createdAt: 'asc' }, { termDepositId: 'asc' }]

/** Reads the term deposits of accounts, with those that ended, the oldest first. */
export function findDeposits(
  context: Context,
  arrangementIds: readonly string[],
): Promise<TermDeposit[]> {
  const where = { arrangementId: { in: [...arrangementIds] } }
  return termDepositTable.findMany(context, { where, orderBy: oldestFirst })
}

/**
 * Loads the term deposits of accounts, the latest first. Delegated users get only those of accounts
 * that they own or are entitled to see.
 */
export const loadDepositsOf = loader<string, TermDeposit[]>(async (context, ids) => {
  const found = await findDeposits(context, ids)
  const visible = await visibleOf(context, found)
  return ids.map((id) => visible.filter(({ arrangementId }) => arrangementId === id).reverse())
})

/** Loads term deposits by ID; null for those that are not visible to the caller. */
export const loadTermDeposit = loader<string, TermDeposit>(async (context, ids) => {
  const found = await termDepositTable.loadMany(context, ids)
  const visible = new Set(
    await visibleOf(
      context,
      found.filter((each) => each !== null),
    ),
  )
  return found.map((each) => (each && visible.has(each) ? each : null))
})

async function visibleOf(context: Context, found: readonly TermDeposit[]): Promise<TermDeposit[]> {
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  return found.filter(
    ({ partyId, arrangementId }) =>
      maySee(context.caller, [partyId]) || grantedIds.has(arrangementId),
  )
}

/** Returns the writes that insert deposits. */
export function insertDeposits(deposits: readonly TermDeposit[]): Write[] {
  return deposits.length === 0 ? [] : [insert(tableName, ...deposits.map(columnsOf))]
}

/**
 * Returns the writes that update deposits to their new state. The stored version must be one less than
 * the version of the deposit.
 */
export function updateDeposits(deposits: readonly TermDeposit[]): Write[] {
  if (deposits.length === 0) return []
  const rows = deposits.map((deposit) => ({
    ...columnsOf(deposit),
    version: deposit.version - 1,
  }))
  return [updateMany(tableName, 'term_deposit_id', rows)]
}

const settlementsSql =
  'select arrangement_id as "arrangementId", settlement_posting_id as "postingInstructionId" ' +
  `from ${tableName} where settlement_posting_id = any($1)`

/**
 * Returns the entries of these postings that paid out a term deposit, on the account of the deposit
 * and not on its settlement account.
 */
export async function readSettlements(
  { bank }: Context,
  postingInstructionIds: readonly string[],
): Promise<OwnEntry[]> {
  if (postingInstructionIds.length === 0) return []
  return readRows<OwnEntry>(bank, settlementsSql, [postingInstructionIds])
}
