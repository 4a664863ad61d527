import type { PublishedFact } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { Told } from '../_kernel/events.ts'
import type { Write } from '../_kernel/writes.ts'
import { coveringMinor, type Collateral } from './domain/collateral.ts'
import { requireCovered, settle, withPart, type Coverage } from './domain/coverage.ts'
import type { CoverageEvent } from './events.ts'
import { readCoverages, readFacilities, writeCoverage, type Facility } from './store/coverage.ts'

/** What is committed together with a change of coverage. */
export interface CoverageChange {
  writes: Write[]
  events: Told[]
  facts: PublishedFact[]
}

const noChange: CoverageChange = { writes: [], events: [], facts: [] }

/**
 * The changes to the coverage of the facilities that a collateral secures. Each coverage row is
 * updated under its version, so that concurrent changes of two collaterals both count. Insufficient
 * coverage emits a margin call; for a voluntary change it throws INSUFFICIENT_COLLATERAL instead.
 */
export async function changeCoverage(
  context: Context,
  before: Collateral | null,
  after: Collateral,
  isVoluntary: boolean,
): Promise<CoverageChange> {
  const [old, now] = [
    before ? coveringMinor(before) : new Map<string, bigint>(),
    coveringMinor(after),
  ]
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .filter((id) => (old.get(id) ?? 0n) !== (now.get(id) ?? 0n))
    .sort()
  if (changed.length === 0) return noChange
  const [coverages, facilities] = await Promise.all([
    readCoverages(context, changed),
    readFacilities(context, changed),
  ])
  const changes = changed.map((facilityId, at) => {
    const held = coverages[at] ?? emptyCoverage(facilityId, after.currency!)
    const part = now.get(facilityId) ?? 0n
    const coverage = withPart(held, after.collateralId, part)
    const facility = facilities[at] ?? null
    if (isVoluntary) requireCovered(held, coverage, facility?.requiredMinor ?? 0n)
    return write(context, coverage, facility)
  })
  return joined(changes)
}

const emptyCoverage = (facilityId: string, currency: string): Coverage => ({
  facilityId,
  currency,
  parts: {},
  allocatedMinor: 0n,
  isShort: false,
  version: 0,
})

/** The changes to coverages whose required amount has changed. */
export async function settleCoverages(
  context: Context,
  facilityIds: readonly string[],
): Promise<CoverageChange> {
  const [coverages, facilities] = await Promise.all([
    readCoverages(context, facilityIds),
    readFacilities(context, facilityIds),
  ])
  const unsettled = coverages.flatMap((coverage, at) => {
    const facility = facilities[at]
    if (!coverage || !facility) return []
    const { news } = settle(coverage, facility.requiredMinor)
    return news === null ? [] : [write(context, coverage, facility)]
  })
  return joined(unsettled)
}

function write(context: Context, held: Coverage, facility: Facility | null): CoverageChange {
  const required = facility?.requiredMinor ?? 0n
  const settled = settle(held, required)
  const coverage = { ...settled.coverage, version: held.version + 1 }
  const { facilityId, currency, allocatedMinor, isShort, parts, version } = coverage
  const told: Told[] = settled.news
    ? [
        {
          type: `collateral.collateral.${settled.news}` satisfies CoverageEvent,
          subject: `collateral-coverage/${facilityId}`,
          version,
          data: {
            facilityId,
            currency,
            allocatedMinor,
            requiredMinor: required,
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
    events: told,
    facts: [{ subject: `collateral-coverage/${facilityId}`, data: fact }],
  }
}

function joined(changes: readonly CoverageChange[]): CoverageChange {
  return {
    writes: changes.flatMap(({ writes }) => writes),
    events: changes.flatMap(({ events }) => events),
    facts: changes.flatMap(({ facts }) => facts),
  }
}
