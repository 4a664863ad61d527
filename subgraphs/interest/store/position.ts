import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, updateMany, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { DatedAmount, InterestPosition } from '../domain/position.ts'

/** A row of either table. Only that of overdrafts has the days beyond the limit and the exposure. */
type PositionRow = Prisma.InterestPositionGetPayload<object> &
  Partial<
    Pick<
      Prisma.InterestOverdraftPositionGetPayload<object>,
      'daysBeyondLimit' | 'overdrawnSince' | 'limitMinor' | 'exposureThrough'
    >
  >

function fromRow({ leasedUntil: _, leaseId: _leaseId, ...row }: PositionRow): InterestPosition {
  const ahead = row.ahead as unknown as { valueDate: string; amountMinor: string }[]
  return {
    ...row,
    openedOn: dateOf(row.openedOn),
    accruedThrough: dateOf(row.accruedThrough),
    periodStart: dateOf(row.periodStart),
    heldOn: row.heldOn && dateOf(row.heldOn),
    accruedUnits: BigInt(row.accruedUnits.toFixed(0)),
    ahead: ahead.map(({ valueDate, amountMinor }): DatedAmount => {
      return { valueDate, amountMinor: BigInt(amountMinor) }
    }),
    daysBeyondLimit: row.daysBeyondLimit ?? 0,
    overdrawnSince: row.overdrawnSince ? dateOf(row.overdrawnSince) : null,
    limitMinor: row.limitMinor ?? null,
    exposureThrough: row.exposureThrough ? dateOf(row.exposureThrough) : null,
  }
}

/**
 * The last business date that has ended, in an expression that the heartbeat evaluates. It waits for
 * the last bookings of the day, which can commit shortly after midnight.
 */
const endedDateSql = "(($1::timestamptz - interval '1 minute') at time zone 'UTC')::date - 1"

const isUnleasedSql = '(leased_until is null or leased_until <= now())'
const isPaymentDueSql =
  'is_bearing and not is_ended and is_closing and accrued_minor <> capitalized_minor ' +
  `and (held_on is null or held_on < ${endedDateSql}) and ${isUnleasedSql}`

/** A table of positions, and how it is read. */
interface PositionTable {
  table: 'interest.position' | 'interest.overdraft_position' | 'interest.commitment_fee_position'
  hasLimit: boolean
  /** Which positions are accrued, in SQL. */
  isAccruedSql: string
  findMany(context: Context, arrangementIds: string[]): Promise<PositionRow[]>
}

/** Returns the positions that are visible to the caller, in the order of the IDs. */
async function visibleOf(
  context: Context,
  ids: readonly string[],
  found: readonly InterestPosition[],
): Promise<(InterestPosition | null)[]> {
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  const visible = found.filter(
    ({ partyId, arrangementId }) =>
      maySee(context.caller, [partyId]) || grantedIds.has(arrangementId),
  )
  return inOrder(ids, visible, ({ arrangementId }) => arrangementId)
}

function sqlOf({ table, isAccruedSql }: PositionTable) {
  const isDue = [
    `${isAccruedSql} and accrued_through < ${endedDateSql} and ${isUnleasedSql}`,
    isPaymentDueSql,
  ]
  const dueSql =
    `${isAnyDueSql(table, 'accrued_through', isDue[0]!)} or ` +
    `exists (select from ${table} where ${isPaymentDueSql})`
  const leaseSql =
    `update ${table} p set lease_id = $2, leased_until = now() + $3 * interval '1 ms' ` +
    `from (select arrangement_id from ${table} ` +
    `where ${isDue.map((sql) => `(${sql})`).join(' or ')} ` +
    'order by accrued_through, arrangement_id limit $4 for update skip locked) due ' +
    'where p.arrangement_id = due.arrangement_id returning p.arrangement_id as id'
  const progressSql =
    'select count(*)::int as total, count(*) filter (where accrued_through >= $1)::int as done ' +
    `from ${table} where ${isAccruedSql}`
  return { dueSql, leaseSql, progressSql }
}

/** Returns the reads and writes of a table of positions. */
function positionStore(declared: PositionTable) {
  const { table, hasLimit, findMany } = declared
  const find = async (context: Context, ids: readonly string[]): Promise<InterestPosition[]> =>
    (await findMany(context, [...ids])).map(fromRow)
  const columnsFor = (position: Partial<InterestPosition>): Row => {
    if (hasLimit) return columnsOf(position)
    const { daysBeyondLimit, overdrawnSince, limitMinor, exposureThrough, ...others } = position
    return columnsOf(others)
  }
  const { dueSql, leaseSql, progressSql } = sqlOf(declared)
  return {
    /** Whether the interest of an account is due for accrual or, because of its closure, for payment. */
    isDueSql: dueSql,
    /** Reads the positions of accounts; accounts without a position are left out. */
    find,
    /** Reads the position of an account; null if there is none. */
    async findOne(context: Context, arrangementId: string): Promise<InterestPosition | null> {
      return (await find(context, [arrangementId]))[0] ?? null
    },
    /**
     * Loads positions by account; null for an account without a position, or whose position is not
     * visible to the caller. Customers see their own accounts and those that they are entitled to see.
     */
    load: loader<string, InterestPosition>(async (context, ids) =>
      visibleOf(context, ids, await find(context, ids)),
    ),
    insert: (positions: readonly InterestPosition[]): Write[] =>
      positions.length === 0 ? [] : [insert(table, ...positions.map(columnsFor))],
    /**
     * Returns the writes that update positions to their new state. The stored version must be one
     * less than the version of the position. Leases are released.
     */
    update(positions: readonly InterestPosition[]): Write[] {
      if (positions.length === 0) return []
      const rows = positions.map((position): Row => {
        const { partyId, productId, productVersion, currency, openedOn, createdAt, ...changes } =
          position
        const lease = { leased_until: null, lease_id: null }
        return { ...columnsFor(changes), ...lease, version: position.version - 1 }
      })
      return [updateMany(table, 'arrangement_id', rows)]
    },
    /**
     * Leases the accounts that are furthest behind, at most `take`, so that several processes share
     * them. If a process stops, its accounts are free again when the lease expires. Leases expire by
     * the clock of the database, because the bank clock can be moved in the sandbox.
     */
    async leaseDue(
      { bank, now }: Context,
      leaseId: string,
      leaseMs: number,
      take: number,
    ): Promise<string[]> {
      const rows = await readRows<{ id: string }>(bank, leaseSql, [now(), leaseId, leaseMs, take])
      return rows.map(({ id }) => id).sort()
    },
    /** Returns how many of the accounts with interest are accrued through a day. */
    async readProgress({ bank }: Context, day: string): Promise<{ done: number; total: number }> {
      const [row] = await readRows<{ done: number; total: number }>(bank, progressSql, [day])
      return { done: row!.done, total: row!.total }
    },
  }
}

/** A store of positions. */
export type PositionStore = ReturnType<typeof positionStore>

/** The positions of accounts that earn interest. */
export const depositPositions = positionStore({
  table: 'interest.position',
  hasLimit: false,
  isAccruedSql: 'is_bearing and not is_ended',
  findMany: ({ db }, ids) =>
    db.interestPosition.findMany({ where: { arrangementId: { in: ids } } }),
})

/**
 * The positions of accounts that can be overdrawn. Those whose overdrafts bear no interest are accrued
 * as well, because their days tell how long the customer has owed.
 */
export const overdraftPositions = positionStore({
  table: 'interest.overdraft_position',
  hasLimit: true,
  isAccruedSql: 'not is_ended',
  findMany: ({ db }, ids) =>
    db.interestOverdraftPosition.findMany({ where: { arrangementId: { in: ids } } }),
})

/** The positions of accounts that are charged for the unused part of their limit. */
export const commitmentFeePositions = positionStore({
  table: 'interest.commitment_fee_position',
  hasLimit: false,
  isAccruedSql: 'is_bearing and not is_ended',
  findMany: ({ db }, ids) =>
    db.interestCommitmentFeePosition.findMany({ where: { arrangementId: { in: ids } } }),
})

const bearingSql =
  'update interest.position set is_bearing = true, version = version + 1 ' +
  'where product_id = $1 and product_version = any($2) and not is_bearing and not is_ended'

/** Marks the accounts of a product that earn interest because of a new version of the product. */
export async function markBearing(
  { bank }: Context,
  productId: string,
  productVersions: readonly string[],
): Promise<void> {
  await readRows(bank, bearingSql, [productId, productVersions])
}
