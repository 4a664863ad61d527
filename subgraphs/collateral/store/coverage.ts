import { readHeldFacts } from '../../_kernel/facts.ts'
import type { Context } from '../../_kernel/context.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { insert, update, type Write } from '../../_kernel/writes.ts'
import { requiredMinor, type Coverage } from '../domain/coverage.ts'

/** A facility as published by lending. */
export interface Facility {
  facilityId: string
  partyId: string | null
  currency: string
  /** The required coverage, in minor units. */
  requiredMinor: bigint
}

/** Reads facilities in the given order; null for those that do not exist. */
export async function readFacilities(
  context: Context,
  facilityIds: readonly string[],
): Promise<(Facility | null)[]> {
  const facts = await readHeldFacts(
    context,
    facilityIds.map((id) => `facility/${id}`),
  )
  return facts.map((fact, at) => {
    if (!fact) return null
    const { partyId, currency, outstandingMinor, requiredCoveragePct } = fact
    const outstanding = BigInt((outstandingMinor ?? 0) as string)
    const percent = (requiredCoveragePct ?? null) as string | number | null
    return {
      facilityId: facilityIds[at]!,
      partyId: (partyId ?? null) as string | null,
      currency: currency as string,
      requiredMinor: requiredMinor(outstanding, percent === null ? null : String(percent)),
    }
  })
}

/** Reads coverages in the given order; null for facilities that were never covered. */
export async function readCoverages(
  context: Context,
  facilityIds: readonly string[],
): Promise<(Coverage | null)[]> {
  const rows = await context.db.collateralCoverage.findMany({
    where: { facilityId: { in: [...facilityIds] } },
  })
  const found = new Map(rows.map((row) => [row.facilityId, row]))
  return facilityIds.map((id) => {
    const row = found.get(id)
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
 * Writes a coverage, provided the row still has the previous version; inserts the first version.
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
 * Facilities whose margin call state does not match their required coverage. The SQL repeats the
 * rule of `requiredMinor` on the facts that lending published.
 */
const unsettledSql = `select c.facility_id as "facilityId"
  from collateral.coverage c join kernel.fact f on f.subject = 'facility/' || c.facility_id
  where c.is_short <> (c.allocated_minor < ceil(greatest((f.data ->> 'outstandingMinor')::numeric, 0)
    * coalesce((f.data ->> 'requiredCoveragePct')::numeric, 0) / 100))
  order by c.facility_id limit $1`

export async function findUnsettled({ bank }: Context, take: number): Promise<string[]> {
  const rows = await readRows<{ facilityId: string }>(bank, unsettledSql, [take])
  return rows.map(({ facilityId }) => facilityId)
}
