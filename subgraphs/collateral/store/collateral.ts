import { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import { allocatedMinorByFacility, lendableMinor } from '../domain/collateral.ts'
import type { Collateral } from '../model/collateral.ts'
import { uniqueNames, type UniqueName } from '../domain/identifier.ts'
import type { Valuation } from '../domain/valuation.ts'
import type { CollateralEvent } from '../events.ts'

/** The stored JSON: minor units as strings and instants in ISO 8601 format. */
type StoredJson<Value> = {
  [Name in keyof Value]: Value[Name] extends bigint | Date ? string : Value[Name]
}

const bigintOf = (text: unknown) => (text === null ? null : BigInt(text as string))

function valuationFrom(stored: StoredJson<Valuation>): Valuation {
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
    const { valuation, allocations, ...rest } = row as unknown as StoredJson<Collateral>
    return {
      ...(rest as unknown as Collateral),
      valuation: valuation && valuationFrom(valuation as unknown as StoredJson<Valuation>),
      allocations: allocations.map((each) => ({
        ...each,
        amountMinor: bigintOf(each.amountMinor),
      })),
      nextLapseOn: row.nextLapseOn && dateOf(row.nextLapseOn),
    }
  },
)

/** Returns the IDs of the parties that own the collateral. */
export const ownersOf = ({ owners }: Collateral) => owners.map(({ partyId }) => partyId)

export const collateralKind: RecordKind<Collateral, CollateralEvent> = {
  ...collateralTable,
  entity: 'collateral',
  id: 'collateral',
  notFound: 'COLLATERAL_NOT_FOUND',
  created: 'collateral.collateral.created',
  ownersOf,
  snapshot: (collateral) => {
    const { collateralId, collateralType, status, currency, valuation, lapsed } = collateral
    const allocated = allocatedMinorByFacility(collateral)
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

/** Loads collateral by ID; null if the record does not exist or the caller may not see it. */
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

/**
 * Returns collateral in the order in which it was recorded. Delegated users get only collateral of
 * which they own a share.
 */
export function listCollaterals(
  context: Context,
  { partyId, facilityId, status, collateralType }: CollateralFilter,
  after: string[] | null,
  take: number,
): Promise<Collateral[]> {
  const owners = [partyId, context.caller.partyId].filter((id) => id !== null)
  const where = {
    AND: owners.map((id) => ({ owners: { array_contains: [{ partyId: id }] } })),
    allocations: facilityId === null ? null : { array_contains: [{ facilityId }] },
    status,
    collateralType,
  }
  return collateralTable.list(context, where, after, take)
}

/** Returns collateral with a lapse on or before `today` that was not reported. */
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

/** Returns the valuations of collateral in the order in which they were recorded. */
export function listValuations(
  context: Context,
  collateralId: string,
  after: string[] | null,
  take: number,
): Promise<Valuation[]> {
  return loadValuations(context, collateralId, { after: Number(after?.[0] ?? 0), take })
}

type ValuationRow = Prisma.CollateralValuationGetPayload<object>

const valuationsSql = `
  select ${columnsAs<ValuationRow>(...Object.values(Prisma.CollateralValuationScalarFieldEnum))}
  from unnest($1::text[]) c(id) cross join lateral (
    select * from collateral.valuation
    where collateral_id = c.id and number > $2 order by number limit $3
  ) valuation`

const loadValuations = listLoader(
  async (context, collateralIds, { after, take }: { after: number; take: number }) => {
    const rows = await readRows<ValuationRow>(context.bank, valuationsSql, [
      collateralIds,
      after,
      take,
    ])
    const visibleRows = await context.keepVisible('collateralValuation', rows)
    const lists = listsByKey(collateralIds, visibleRows, ({ collateralId }) => collateralId)
    return lists.map((list) => list.map(valuationFromRow))
  },
)

function valuationFromRow({ collateralId: _, ...row }: ValuationRow): Valuation {
  return {
    ...row,
    method: row.method as Valuation['method'],
    marketValueMinor: BigInt(row.marketValueMinor),
    forcedSaleValueMinor: bigintOf(row.forcedSaleValueMinor),
    valuationDate: dateOf(row.valuationDate),
    nextRevaluationDue: row.nextRevaluationDue && dateOf(row.nextRevaluationDue),
  }
}

const usedNamesSql = `select n.scheme, n.name from collateral.name n
  join unnest($1::text[], $2::text[]) asked (scheme, name) using (scheme, name)
  where n.is_held and n.collateral_id <> $3`

/** Returns the names that other collateral already has, unless it is in a final status. */
export function findUsedNames(
  { bank }: Context,
  names: readonly UniqueName[],
  collateralId: string,
): Promise<UniqueName[]> {
  const columns = [names.map(({ scheme }) => scheme), names.map(({ name }) => name)]
  const values = [...columns, collateralId]
  return readRows<UniqueName & Record<string, unknown>>(bank, usedNamesSql, values)
}

const keyOf = ({ scheme, name }: UniqueName) => `${scheme}:${name}`

/**
 * Returns the writes that update the unique identifiers of collateral. `isHeld` is true if the new
 * status is not final. If another command stores one of the identifiers concurrently, the insert
 * raises SQLSTATE 23505 and the caller's command is decided again.
 */
export function writeNames(before: Collateral | null, after: Collateral, isHeld: boolean): Write[] {
  const previousNames = before ? uniqueNames(before.identifiers) : []
  const currentNames = isHeld ? uniqueNames(after.identifiers) : []
  const [previousKeys, currentKeys] = [
    new Set(previousNames.map(keyOf)),
    new Set(currentNames.map(keyOf)),
  ]
  const addedNames = currentNames.filter((each) => !previousKeys.has(keyOf(each)))
  const removedNames = previousNames.filter((each) => !currentKeys.has(keyOf(each)))
  const { collateralId: collateral_id } = after
  const since = (before?.version ?? 0) + 1
  const rows = addedNames.map((each) => ({ collateral_id, ...each, since, is_held: true }))
  return [
    ...(rows.length > 0 ? [insert('collateral.name', ...rows)] : []),
    ...(removedNames.length > 0 ? [releaseNames(collateral_id, removedNames)] : []),
  ]
}

function releaseNames(collateralId: string, names: readonly UniqueName[]): Write {
  return {
    sql: `update collateral.name t set is_held = false
      from claim, unnest($2::text[], $3::text[]) g (scheme, name)
      where t.collateral_id = $1 and t.is_held and t.scheme = g.scheme and t.name = g.name returning 1`,
    values: [collateralId, names.map(({ scheme }) => scheme), names.map(({ name }) => name)],
    rows: names.length,
  }
}
