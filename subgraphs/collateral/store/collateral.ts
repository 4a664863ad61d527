import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { tableOf } from '../../_kernel/table.ts'
import { insert, type Write } from '../../_kernel/writes.ts'
import { allocationsOf, lendableMinor, type Collateral } from '../domain/collateral.ts'
import { uniqueNames, type UniqueName } from '../domain/identifier.ts'
import type { Valuation } from '../domain/valuation.ts'
import type { CollateralEvent } from '../events.ts'

/** The JSON representation: minor units as strings, instants as ISO 8601. */
type Stored<Value> = {
  [Name in keyof Value]: Value[Name] extends bigint | Date ? string : Value[Name]
}

const bigintOf = (text: unknown) => (text === null ? null : BigInt(text as string))

function valuationFrom(stored: Stored<Valuation>): Valuation {
  return {
    ...stored,
    marketValueMinor: BigInt(stored.marketValueMinor),
    forcedSaleValueMinor: bigintOf(stored.forcedSaleValueMinor),
    recordedAt: new Date(stored.recordedAt),
  }
}

export const collateralTable = tableOf<Collateral, Prisma.CollateralGetPayload<object>>(
  'collateral.collateral',
  'collateralId',
  ({ db }) => db.collateral,
  (row) => {
    const { valuation, allocations, ...rest } = row as unknown as Stored<Collateral>
    return {
      ...(rest as unknown as Collateral),
      valuation: valuation && valuationFrom(valuation as unknown as Stored<Valuation>),
      allocations: allocations.map((each) => ({
        ...each,
        amountMinor: bigintOf(each.amountMinor),
      })),
      nextLapseOn: row.nextLapseOn && dateOf(row.nextLapseOn),
    }
  },
)

/** The parties that own a collateral. */
export const ownersOf = ({ owners }: Collateral) => owners.map(({ partyId }) => partyId)

export const collateralKind: Kind<Collateral, CollateralEvent> = {
  ...collateralTable,
  entity: 'collateral',
  id: 'collateral',
  notFound: 'COLLATERAL_NOT_FOUND',
  created: 'collateral.collateral.created',
  ownersOf,
  snapshot: (collateral) => {
    const { collateralId, collateralType, status, currency, valuation, lapsed } = collateral
    const allocated = allocationsOf(collateral)
    return {
      collateralId,
      collateralType,
      status,
      owners: ownersOf(collateral),
      currency,
      marketValueMinor: valuation?.marketValueMinor ?? null,
      valuationDate: valuation?.valuationDate ?? null,
      lendableMinor: lendableMinor(collateral),
      allocations: collateral.allocations.map(({ facilityId, rank }) => {
        return { facilityId, rank, allocatedMinor: allocated.get(facilityId)! }
      }),
      lapsed,
    }
  },
  isPublished: false,
}

/** Loads collaterals by id; null for those the caller cannot see. */
export const loadCollateral = loader<string, Collateral>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => collateralTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

export interface CollateralFilter {
  partyId: string | null
  facilityId: string | null
  status: string | null
  collateralType: string | null
}

/** Collaterals in the order they were recorded. Delegated users get those they own a share of. */
export function listCollaterals(
  context: Context,
  { partyId, facilityId, status, collateralType }: CollateralFilter,
  after: string[] | null,
  take: number,
): Promise<Collateral[]> {
  const owners = [partyId, context.caller.partyId].filter((id) => id !== null)
  const where = {
    AND: owners.map((id) => ({ owners: { array_contains: [{ partyId: id }] } })),
    ...(facilityId !== null && { allocations: { array_contains: [{ facilityId }] } }),
    ...(status !== null && { status }),
    ...(collateralType !== null && { collateralType }),
  }
  return collateralTable.list(context, { AND: [where] }, after, take)
}

/** Collaterals with a lapse up to a date that was not reported. */
export function findLapsed(context: Context, today: LocalDate, take: number) {
  return collateralTable.findMany(context, {
    where: { nextLapseOn: { lte: new Date(today) } },
    orderBy: [{ nextLapseOn: 'asc' }, { collateralId: 'asc' }],
    take,
  })
}

export function insertValuation(collateralId: string, valuation: Valuation): Write {
  return insert('collateral.valuation', {
    collateral_id: collateralId,
    number: valuation.number,
    currency: valuation.currency,
    market_value_minor: valuation.marketValueMinor,
    forced_sale_value_minor: valuation.forcedSaleValueMinor,
    valuation_date: valuation.valuationDate,
    method: valuation.method,
    valuer: valuation.valuer,
    source: valuation.source,
    next_revaluation_due: valuation.nextRevaluationDue,
    recorded_at: valuation.recordedAt,
    recorded_by: valuation.recordedBy,
  })
}

/** All valuations of a collateral, in the order they were recorded. */
export async function listValuations(
  context: Context,
  collateralId: string,
  after: string[] | null,
  take: number,
): Promise<Valuation[]> {
  const rows = await context.db.collateralValuation.findMany({
    where: { collateralId, ...(after && { number: { gt: Number(after[0]) } }) },
    orderBy: { number: 'asc' },
    take,
  })
  return rows.map(({ collateralId: _, ...row }) => ({
    ...row,
    method: row.method as Valuation['method'],
    valuationDate: dateOf(row.valuationDate),
    nextRevaluationDue: row.nextRevaluationDue && dateOf(row.nextRevaluationDue),
  }))
}

const takenSql = `select n.scheme, n.name from collateral.name n
  join unnest($1::text[], $2::text[]) asked (scheme, name) using (scheme, name)
  where n.is_held and n.collateral_id <> $3`

/** The identifiers that another collateral has. */
export function takenNames(
  { bank }: Context,
  names: readonly UniqueName[],
  collateralId: string,
): Promise<UniqueName[]> {
  const columns = [names.map(({ scheme }) => scheme), names.map(({ name }) => name)]
  return readRows<UniqueName & Record<string, unknown>>(bank, takenSql, [...columns, collateralId])
}

const keyOf = ({ scheme, name }: UniqueName) => `${scheme}:${name}`

/**
 * Writes the unique identifiers of a collateral. If another collateral takes one concurrently, the
 * insert raises SQLSTATE 23505 and the command is decided again.
 */
export function writeNames(before: Collateral | null, after: Collateral, isHeld: boolean): Write[] {
  const had = before ? uniqueNames(before.identifiers) : []
  const has = isHeld ? uniqueNames(after.identifiers) : []
  const [old, kept] = [new Set(had.map(keyOf)), new Set(has.map(keyOf))]
  const taken = has.filter((each) => !old.has(keyOf(each)))
  const given = had.filter((each) => !kept.has(keyOf(each)))
  const { collateralId: collateral_id } = after
  const since = (before?.version ?? 0) + 1
  const rows = taken.map((each) => ({ collateral_id, ...each, since, is_held: true }))
  return [
    ...(rows.length > 0 ? [insert('collateral.name', ...rows)] : []),
    ...(given.length > 0 ? [giveUpNames(collateral_id, given)] : []),
  ]
}

function giveUpNames(collateralId: string, names: readonly UniqueName[]): Write {
  return {
    sql: `update collateral.name t set is_held = false
      from claim, unnest($2::text[], $3::text[]) g (scheme, name)
      where t.collateral_id = $1 and t.is_held and t.scheme = g.scheme and t.name = g.name returning 1`,
    values: [collateralId, names.map(({ scheme }) => scheme), names.map(({ name }) => name)],
    rows: names.length,
  }
}
