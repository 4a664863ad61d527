import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { readFacts, type Fact } from '../../../kernel/writing/facts.ts'
import {
  contractOfAccount,
  contractOfFacility,
  type Holds,
  type LateContract,
} from '../domain/contract.ts'
import { isUndecided, reliefUntil } from '../domain/relief.ts'
import { Problem } from '../domain/problems.ts'
import type { CollectionsSegment } from '../model/enumerations.ts'
import {
  DisputesAboutDocument,
  LateFacilitiesDocument,
  LateOverdraftsDocument,
  type LateFacilityFragment,
  type LateOverdraftFragment,
} from '../queries.generated.ts'

/** A page of contracts that are past due, and the cursor of the next page; null at the end. */
export interface LatePage {
  contracts: LateContract[]
  next: string | null
}

/**
 * Reads a page of the facilities in arrears, or of the accounts beyond their limit. Facilities whose
 * end of day failed are left out. `day` is the day of the run.
 */
export async function readLatePage(
  context: Context,
  phase: 'facilities' | 'overdrafts',
  first: number,
  checkpoint: string | null,
  day: LocalDate,
): Promise<LatePage> {
  const read = phase === 'facilities' ? readFacilities : readOverdrafts
  return read(context, first, checkpoint, day).catch((error: unknown) => {
    // A cursor expires after three days. The phase then begins again.
    const isStale = error instanceof Problem && error.code.startsWith('PAGE_TOKEN_')
    if (checkpoint !== null && isStale) return read(context, first, null, day)
    throw error
  })
}

async function readFacilities(
  context: Context,
  first: number,
  after: string | null,
  day: LocalDate,
): Promise<LatePage> {
  const { facilities, endOfDayPosition } = await context.bank.queryGraph(LateFacilitiesDocument, {
    first,
    after,
  })
  const { nodes, pageInfo } = facilities!
  const failed = new Set(endOfDayPosition!.failures.map(({ facilityId }) => facilityId))
  // The state follows from the end of day; the days past due are those of today.
  const late = nodes.filter(
    ({ facilityId, delinquency }) => delinquency.daysPastDue > 0 && !failed.has(facilityId),
  )
  const facts = await readFacts(
    context,
    late.map(({ facilityId }) => contractOfFacility(facilityId)),
  )
  const contracts = late.map((node, index) =>
    lateFacility(node, facts[index]!['partyId'] as string, day),
  )
  return {
    contracts: await withParties(context, contracts),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

function lateFacility(node: LateFacilityFragment, partyId: string, day: LocalDate): LateContract {
  const { facilityId, currency, kind, delinquency, productId } = node
  const requests = node.hardshipRequests?.nodes ?? []
  return {
    contract: contractOfFacility(facilityId),
    partyId,
    currency,
    // Enum values in GraphQL are in upper case, with underscores.
    segment: kind.toLowerCase().replaceAll('_', '-') as CollectionsSegment,
    productId: productId ?? null,
    daysPastDue: delinquency.daysPastDue,
    arrearsMinor: parseAmount(delinquency.arrears.amount, currency),
    pastDueSince: delinquency.oldestDueDate!,
    holds: {
      ...noHolds,
      hasHardshipRequest: requests.some(isUndecided),
      reliefUntil: reliefUntil(node.paymentHolidays?.nodes ?? [], requests, day),
      promiseUntil: node.openPromiseToPay?.payBy ?? null,
    },
  }
}

const noHolds: Holds = {
  isDeceased: false,
  isRestricted: false,
  hasHardshipRequest: false,
  reliefUntil: null,
  isDisputed: false,
  promiseUntil: null,
}

async function readOverdrafts(
  context: Context,
  first: number,
  after: string | null,
): Promise<LatePage> {
  const variables = { first, after, arrangementId: null }
  const { overdraftExposures } = await context.bank.queryGraph(LateOverdraftsDocument, variables)
  const { nodes, pageInfo } = overdraftExposures!
  const facts = await readFacts(
    context,
    nodes.map(({ arrangement }) => contractOfAccount(arrangement!.arrangementId)),
  )
  const contracts = nodes.map((node, index) => lateOverdraft(node, facts[index]!))
  return {
    contracts: await withParties(context, contracts),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
  }
}

function lateOverdraft(node: LateOverdraftFragment, account: Fact): LateContract {
  const { amount, currency } = node.beyondLimit
  return {
    contract: contractOfAccount(node.arrangement!.arrangementId),
    partyId: account['partyId'] as string,
    currency,
    segment: 'overdraft',
    productId: (account['productId'] as string | null) ?? null,
    daysPastDue: node.daysPastDue,
    arrearsMinor: parseAmount(amount, currency),
    pastDueSince: node.beyondLimitSince!,
    holds: noHolds,
  }
}

/** Adds what holds steps because of the party. */
async function withParties(
  context: Context,
  contracts: readonly LateContract[],
): Promise<LateContract[]> {
  const parties = await readFacts(
    context,
    contracts.map(({ partyId }) => `party/${partyId}`),
  )
  return contracts.map((contract, index) => ({
    ...contract,
    holds: {
      ...contract.holds,
      isDeceased: parties[index]?.['status'] === 'deceased',
      isRestricted: parties[index]?.['isRestricted'] === true,
    },
  }))
}

/**
 * Adds whether a contract is disputed, which takes a query for each. Only a dispute of the party that
 * owes counts, and only while it has not ended: anyone can open a case that names a contract.
 */
export async function withDispute(context: Context, late: LateContract): Promise<LateContract> {
  const { partyId, contract: subject } = late
  const found = await context.bank.queryGraph(DisputesAboutDocument, { partyId, subject })
  const isDisputed = [found.open, found.inProgress, found.waiting].some(
    (cases) => cases!.nodes.length > 0,
  )
  return { ...late, holds: { ...late.holds, isDisputed } }
}
