import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { accountOf } from '../domain/overdraft-id.ts'
import type { RiskFacility } from '../domain/provision.ts'
import { lastDayOfRelief, type GrantedRelief } from '../domain/staging.ts'
import { Problem } from '../domain/problems.ts'
import type { ProvisioningSegment } from '../model/enumerations.ts'
import {
  RiskFacilitiesDocument,
  RiskFacilityDocument,
  type RiskFacilityFragment,
} from '../queries.generated.ts'
import type { FacilityPage } from './facility-page.ts'
import { readOverdraftPage, readWrittenOff } from './risk-overdrafts.ts'

/** The states in which a facility has an exposure, or can get one. */
const exposedStates: readonly RiskFacilityFragment['state'][] = ['APPROVED', 'ACTIVE', 'IN_ARREARS']

/** Checkpoints of pages of overdrafts begin so. The former release begins again with facilities. */
const overdraftPhase = 'overdraft:'

/**
 * Reads a page of all facilities, or of all overdrafts after the last facility, through the graph.
 * A page never has both.
 */
export async function readPage(
  context: Context,
  first: number,
  checkpoint: string | null,
): Promise<FacilityPage> {
  const phased = (next: string) => `${overdraftPhase}${next}`
  if (!checkpoint?.startsWith(overdraftPhase)) {
    const page = await readFacilityPage(context, first, checkpoint)
    return { ...page, next: page.next ?? phased('') }
  }
  const after = checkpoint.slice(overdraftPhase.length) || null
  const { next, ...page } = await restartable(after, (from) =>
    readOverdraftPage(context, first, from),
  )
  return { ...page, next: next === null ? null : phased(next) }
}

/** A cursor expires after three days. The phase then begins again, and skips what is processed. */
async function restartable<Page>(
  after: string | null,
  read: (after: string | null) => Promise<Page>,
): Promise<Page> {
  return read(after).catch((error: unknown) => {
    const isStale = error instanceof Problem && error.code.startsWith('PAGE_TOKEN_')
    if (after !== null && isStale) return read(null)
    throw error
  })
}

async function readFacilityPage(
  context: Context,
  first: number,
  checkpoint: string | null,
): Promise<FacilityPage> {
  const { facilities } = await restartable(checkpoint, (after) =>
    context.bank.queryGraph(RiskFacilitiesDocument, { first, after }),
  )
  const { nodes, pageInfo } = facilities!
  const exposed = nodes.filter(({ state }) => exposedStates.includes(state))
  return {
    facilities: await riskFacilities(context, exposed),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

/** Reads one facility with an exposure. Throws FACILITY_NOT_FOUND and FACILITY_WITHOUT_EXPOSURE. */
export async function readFacility(context: Context, facilityId: string): Promise<RiskFacility> {
  const { facility } = await context.bank.queryGraph(RiskFacilityDocument, { facilityId })
  if (!facility) throw new Problem('FACILITY_NOT_FOUND', { resourceId: facilityId })
  if (!exposedStates.includes(facility.state)) {
    const detail = `${facilityId} is ${facility.state}, so that it has no exposure.`
    throw new Problem('FACILITY_WITHOUT_EXPOSURE', { detail, resourceId: facilityId })
  }
  const [found] = await riskFacilities(context, [facility])
  return found!
}

/**
 * Reads the amounts that were charged off from facilities or written off from overdrafts and not
 * recovered, in minor units.
 */
export async function readChargedOff(
  context: Context,
  facilityIds: readonly string[],
): Promise<bigint[]> {
  return Promise.all(
    facilityIds.map(async (facilityId) => {
      const arrangementId = accountOf(facilityId)
      if (arrangementId !== null) return readWrittenOff(context, arrangementId)
      const { facility } = await context.bank.queryGraph(RiskFacilityDocument, { facilityId })
      return facility ? parseAmount(facility.chargedOff.amount, facility.currency) : 0n
    }),
  )
}

async function riskFacilities(
  context: Context,
  nodes: readonly RiskFacilityFragment[],
): Promise<RiskFacility[]> {
  const subjects = nodes.map(({ facilityId }) => `facility/${facilityId}`)
  const facts = await readFacts(context, subjects)
  return nodes.map((node, index) => riskFacility(node, facts[index]!['partyId'] as string))
}

function riskFacility(node: RiskFacilityFragment, partyId: string): RiskFacility {
  const { facilityId, currency, kind, coverage } = node
  const minor = (money: { amount: string }) => parseAmount(money.amount, currency)
  const requests = node.hardshipRequests?.nodes ?? []
  return {
    facilityId,
    partyId,
    currency,
    // Enum values in GraphQL are in upper case, with underscores.
    segment: kind.toLowerCase().replaceAll('_', '-') as ProvisioningSegment,
    principalMinor: minor(node.outstandingPrincipal),
    interestMinor: minor(node.accruedInterest) + minor(node.interestDue),
    undrawnMinor: minor(node.available),
    collateralMinor: coverage ? minor(coverage.allocated) : 0n,
    daysPastDue: node.delinquency.daysPastDue,
    hasOpenHardshipRequest: requests.some(
      ({ status }) => status === 'SUBMITTED' || status === 'UNDER_REVIEW',
    ),
    reliefThrough: lastDayOfRelief(grantedRelief(node)),
  }
}

/** The states of a payment holiday that gives relief. */
const effectiveHolidays: readonly unknown[] = ['APPROVED', 'ACTIVE', 'COMPLETED', 'ENDED_EARLY']

function grantedRelief({
  hardshipRequests,
  paymentHolidays,
}: RiskFacilityFragment): GrantedRelief[] {
  const holidays = (paymentHolidays?.nodes ?? []).filter(({ status }) =>
    effectiveHolidays.includes(status),
  )
  const endOf = new Map(
    holidays.map(({ paymentHolidayId, endDate }) => [paymentHolidayId, endDate]),
  )
  return (hardshipRequests?.nodes ?? []).flatMap(({ status, decidedAt, paymentHolidayId }) => {
    if (status !== 'APPROVED' || !decidedAt) return []
    const holidayEndsOn = paymentHolidayId ? (endOf.get(paymentHolidayId) ?? null) : null
    return [{ grantedOn: dateOf(new Date(decidedAt)), holidayEndsOn }]
  })
}
