import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import { requiredMinor, type Coverage } from '../domain/coverage.ts'

/** A facility, from the fact that the lending subgraph publishes. */
export interface Facility {
  facilityId: string
  partyId: string | null
  currency: string
  /** The required coverage, in minor units. */
  requiredMinor: bigint
}

/** Returns facilities in the order of `facilityIds`; null for a facility that does not exist. */
export async function readFacilities(
  context: Context,
  facilityIds: readonly string[],
): Promise<(Facility | null)[]> {
  const facts = await readHeldFacts(
    context,
    facilityIds.map((id) => `facility/${id}`),
  )
  return facts.map((fact, index) => {
    if (!fact) return null
    const { partyId, currency, outstandingMinor, requiredCoveragePct } = fact
    const outstanding = BigInt((outstandingMinor ?? 0) as string)
    const percent = (requiredCoveragePct ?? null) as string | number | null
    return {
      facilityId: facilityIds[index]!,
      partyId: (partyId ?? null) as string | null,
      currency: currency as string,
      requiredMinor: requiredMinor(outstanding, percent === null ? null : String(percent)),
    }
  })
}

/** Returns coverages in the order of `facilityIds`; null for a facility never covered. */
export async function readCoverages(
  context: Context,
  facilityIds: readonly string[],
): Promise<(Coverage | null)[]> {
  const rows = await context.db.collateralCoverage.findMany({
    where: { facilityId: { in: [...facilityIds] } },
  })
  const rowsById = new Map(rows.map((row) => [row.facilityId, row]))
  return facilityIds.map((id) => {
    const row = rowsById.get(id)
    if (!row) return null
    const parts = Object.entries(row.parts as Record<string, string>)
    const { facilityId, currency, allocatedMinor, isShort, version } = row
    return {
      facilityId,
      currency,
      allocatedMinor,
      isShort,
      version,
      parts: Object.fromEntries(parts.map(([collateralId, part]) => [collateralId, BigInt(part)])),
    }
  })
}

/**
 * Returns the write that inserts the first version of a coverage, or updates the row if it still
 * has the previous version.
 */
export function writeCoverage({ version, ...coverage }: Coverage, now: Date): Write {
  const { facilityId, currency, parts, allocatedMinor, isShort } = coverage
  const changes = {
    currency,
    parts,
    allocated_minor: allocatedMinor,
    is_short: isShort,
    updated_at: now,
  }
  const key = { facility_id: facilityId }
  if (version === 1) return insert('collateral.coverage', { ...key, ...changes, version })
  return update('collateral.coverage', key, version - 1, changes)
}

/**
 * Finds facilities for which a margin call must start or end. The SQL applies the rule of
 * `requiredMinor` to the facts that the lending subgraph publishes, so change both together.
 */
const unsettledSql = `select c.facility_id as "facilityId"
  from collateral.coverage c join kernel.fact f on f.subject = 'facility/' || c.facility_id
  where c.is_short <> (c.allocated_minor < ceil(greatest((f.data ->> 'outstandingMinor')::numeric, 0)
    * coalesce((f.data ->> 'requiredCoveragePct')::numeric, 0) / 100))
  order by c.facility_id limit $1`

export async function findChangedShortfalls({ bank }: Context, take: number): Promise<string[]> {
  const rows = await readRows<{ facilityId: string }>(bank, unsettledSql, [take])
  return rows.map(({ facilityId }) => facilityId)
}
