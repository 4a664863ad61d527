import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { coverageMinorByFacility } from '../domain/collateral.ts'
import type { Collateral } from '../model/collateral.ts'
import { requireCovered, updateShortfall, withPart, type Coverage } from '../domain/coverage.ts'
import type { CoverageEvent } from '../events.ts'
import { readCoverages, readFacilities, writeCoverage, type Facility } from '../store/coverage.ts'

/** The writes, events and facts that are committed for changes of coverage. */
export interface CoverageChange {
  writes: Write[]
  events: DomainEvent[]
  facts: PublishedFact[]
}

const noChange: CoverageChange = { writes: [], events: [], facts: [] }

/**
 * Returns the changes to the coverage of all facilities affected by changed collateral. A coverage
 * row is updated only if its version is unchanged, so that no concurrent change is lost. If
 * coverage becomes insufficient, a margin call is emitted; a voluntary change throws
 * INSUFFICIENT_COLLATERAL instead.
 */
export async function changeCoverage(
  context: Context,
  before: Collateral | null,
  after: Collateral,
  isVoluntary: boolean,
): Promise<CoverageChange> {
  const [previousAmounts, currentAmounts] = [
    before ? coverageMinorByFacility(before) : new Map<string, bigint>(),
    coverageMinorByFacility(after),
  ]
  const facilityIds = [...new Set([...previousAmounts.keys(), ...currentAmounts.keys()])]
    .filter((id) => (previousAmounts.get(id) ?? 0n) !== (currentAmounts.get(id) ?? 0n))
    .sort()
  if (facilityIds.length === 0) return noChange
  const [coverages, facilities] = await Promise.all([
    readCoverages(context, facilityIds),
    readFacilities(context, facilityIds),
  ])
  const changes = facilityIds.map((facilityId, index) => {
    const previous = coverages[index] ?? emptyCoverage(facilityId, after.currency!)
    const part = currentAmounts.get(facilityId) ?? 0n
    const coverage = withPart(previous, after.collateralId, part)
    const facility = facilities[index] ?? null
    if (isVoluntary) requireCovered(previous, coverage, facility?.requiredMinor ?? 0n)
    return coverageChange(context, coverage, facility)
  })
  return mergeChanges(changes)
}

const emptyCoverage = (facilityId: string, currency: string): Coverage => ({
  facilityId,
  currency,
  parts: {},
  allocatedMinor: 0n,
  isShort: false,
  version: 0,
})

/** Returns the changes that start or end a margin call after the required coverage has changed. */
export async function updateShortfalls(
  context: Context,
  facilityIds: readonly string[],
): Promise<CoverageChange> {
  const [coverages, facilities] = await Promise.all([
    readCoverages(context, facilityIds),
    readFacilities(context, facilityIds),
  ])
  const changes = coverages.flatMap((coverage, index) => {
    const facility = facilities[index]
    if (!coverage || !facility) return []
    const { news } = updateShortfall(coverage, facility.requiredMinor)
    return news === null ? [] : [coverageChange(context, coverage, facility)]
  })
  return mergeChanges(changes)
}

function coverageChange(
  context: Context,
  changedCoverage: Coverage,
  facility: Facility | null,
): CoverageChange {
  const requiredMinor = facility?.requiredMinor ?? 0n
  const decision = updateShortfall(changedCoverage, requiredMinor)
  const coverage = { ...decision.coverage, version: changedCoverage.version + 1 }
  const { facilityId, currency, allocatedMinor, isShort, parts, version } = coverage
  const events: DomainEvent[] = decision.news
    ? [
        {
          type: `collateral.collateral.${decision.news}` satisfies CoverageEvent,
          subject: `collateral-coverage/${facilityId}`,
          version,
          data: {
            facilityId,
            currency,
            allocatedMinor,
            requiredMinor,
            collateralIds: Object.keys(parts),
            isShort,
          },
          parties: facility?.partyId ? [facility.partyId] : [],
        },
      ]
    : []
  const fact = { facilityId, currency, allocatedMinor }
  return {
    writes: [writeCoverage(coverage, context.now())],
    events,
    facts: [{ subject: `collateral-coverage/${facilityId}`, data: fact }],
  }
}

function mergeChanges(changes: readonly CoverageChange[]): CoverageChange {
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
    facts: changes.flatMap(({ facts }) => facts),
  }
}
