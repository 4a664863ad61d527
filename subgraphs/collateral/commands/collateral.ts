import type {
  AllocationRequest,
  CollateralDescription,
  ValuationRequest,
} from '../model/collateral-inputs.ts'
import type { Collateral, Insurance, Perfection } from '../model/collateral.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
  type Decided,
} from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { changeCoverage } from './coverage.ts'
import * as domain from '../domain/actions.ts'
import {
  describeCollateral,
  newCollateral,
  valueCollateral,
  withNextLapse,
  type NewCollateral,
} from '../domain/collateral.ts'
import { requireUnpledged, uniqueNames } from '../domain/identifier.ts'
import { withDefaultOwner } from '../domain/owner.ts'
import { hasEnded } from '../domain/states.ts'
import type { MoneyRequest } from '../domain/valuation.ts'
import type { CollateralEvent } from '../events.ts'
import { collateralKind, insertValuation, findUsedNames, writeNames } from '../store/collateral.ts'
import { readFacilities, type Facility } from '../store/coverage.ts'

export interface CollateralRequest extends NewCollateral {
  collateralId?: string | null
  links?: readonly AllocationRequest[] | null
}

/**
 * Creates a collateral record and allocates it to the facilities in `links`. A repeated request
 * with the same ID and content returns the existing record. Delegated users can propose assets that
 * they own, without a valuation.
 * Throws PARTY_NOT_FOUND, FACILITY_NOT_FOUND, COLLATERAL_IDENTIFIER_IN_USE, RESOURCE_EXISTS,
 * NOT_FOR_DELEGATED_USERS, and whatever `newCollateral` and `domain.allocate` throw.
 */
export function createCollateral(
  context: Context,
  request: CollateralRequest,
): Promise<Collateral> {
  const { collateralId } = request
  const checkedRequest = checkProposal(context, request)
  const operation = 'createCollateral'
  return createRecord(context, collateralKind, operation, request, collateralId, async (stamp) => {
    const { id } = stamp
    const identity = { ...versioned(stamp), collateralId: id }
    const unlinkedRecord = newCollateral(checkedRequest, identity, actionStamp(context))
    const record = await linkAll(context, unlinkedRecord, request.links ?? [])
    const effects = await dependentChanges(context, null, record, false)
    const isLinked = record.allocations.length > 0
    const event = 'collateral.collateral.allocated'
    const allocationEvents = isLinked ? publicationOf(collateralKind, record, event).events : []
    const { valuation } = record
    return {
      record,
      writes: [...(valuation ? [insertValuation(id, valuation)] : []), ...effects.writes],
      events: [...allocationEvents, ...effects.events],
      facts: effects.facts,
    }
  })
}

const actionStamp = (context: Context) => ({ by: context.caller.subject, now: context.now() })

/** Checks that delegated users propose what they own, which is the default of `owners`. */
function checkProposal({ caller }: Context, request: CollateralRequest): CollateralRequest {
  const { partyId } = caller
  if (partyId === null) return request
  const { owners, valuation, links, haircutPct, priorLiens, status } = request
  const isProposable = !valuation && !links?.length && !haircutPct && !priorLiens
  const isOwner = !owners?.length || owners.some((each) => each.partyId === partyId)
  const isProposal = (status ?? 'proposed').toLowerCase() === 'proposed'
  if (isProposable && isOwner && isProposal) {
    return { ...request, owners: owners?.length ? owners : [{ partyId }] }
  }
  throw new Problem('NOT_FOR_DELEGATED_USERS')
}

async function linkAll(
  context: Context,
  before: Collateral,
  links: readonly AllocationRequest[],
): Promise<Collateral> {
  const facilities = await readFacilities(
    context,
    links.map(({ facilityId }) => facilityId),
  )
  return links.reduce((collateral, link, index) => {
    const pointer = `/links/${index}`
    const facility = facilities[index]
    if (!facility) throw missingFacility(link.facilityId, pointer)
    return allocateTo(collateral, link, facility, pointer)
  }, before)
}

/** Allocates collateral to a facility. Collateral without an owner gets the borrower as owner. */
function allocateTo(before: Collateral, link: AllocationRequest, facility: Facility, pointer = '') {
  const collateral = domain.allocate(before, link, facility.currency, pointer)
  return withDefaultOwner(collateral, facility.partyId)
}

const missingFacility = (facilityId: string, pointer: string) =>
  missingReference('FACILITY_NOT_FOUND', facilityId, `${pointer}/facilityId`)

/** Returns the changes of unique identifiers and coverage that are committed with collateral. */
async function dependentChanges(
  context: Context,
  before: Collateral | null,
  after: Collateral,
  isVoluntary: boolean,
) {
  if (before?.owners !== after.owners) await requireOwners(context, after)
  const isHeld = !hasEnded(after.status)
  const nameWrites = writeNames(before, after, isHeld)
  if (isHeld && nameWrites.length > 0) {
    const names = uniqueNames(after.identifiers)
    requireUnpledged(after.identifiers, await findUsedNames(context, names, after.collateralId))
  }
  const change = await changeCoverage(context, before, after, isVoluntary)
  return { ...change, writes: [...nameWrites, ...change.writes] }
}

async function requireOwners(context: Context, { owners }: Collateral): Promise<void> {
  const facts = await readFacts(
    context,
    owners.map(({ partyId }) => `party/${partyId}`),
  )
  const index = facts.findIndex((fact) => !fact)
  if (index < 0) return
  throw missingReference('PARTY_NOT_FOUND', owners[index]!.partyId, `/owners/${index}/partyId`)
}

interface Change {
  collateral: Collateral
  writes?: readonly Write[]
}

type Input = { collateralId: string }

/**
 * Changes collateral and the coverage that depends on it. A voluntary change is rejected if it
 * reduces the coverage of a facility and leaves the facility with less than it requires.
 */
function change(
  context: Context,
  operation: string,
  input: Input,
  event: CollateralEvent,
  decide: (before: Collateral, now: Date) => Change | Promise<Change>,
  isVoluntary = false,
): Promise<Collateral> {
  requireBank(context)
  const decideRecord = async (before: Collateral, now: Date): Promise<Decided<Collateral>> => {
    const { collateral, writes = [] } = await decide(before, now)
    if (collateral === before) return { record: before }
    const record = withNextLapse(collateral)
    const effects = await dependentChanges(context, before, record, isVoluntary)
    return { record, ...effects, writes: [...writes, ...effects.writes] }
  }
  const { collateralId } = input
  return changeRecord(context, collateralKind, operation, input, collateralId, event, decideRecord)
}

/** Updates the descriptive properties of collateral. */
export function update(
  context: Context,
  input: Input & CollateralDescription,
): Promise<Collateral> {
  return change(context, 'updateCollateral', input, 'collateral.collateral.updated', (before) => ({
    collateral: describeCollateral(before, input),
  }))
}

/**
 * Records a valuation. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and whatever
 * `valueCollateral` throws.
 */
export function value(context: Context, input: Input & ValuationRequest): Promise<Collateral> {
  return change(context, 'valueCollateral', input, 'collateral.collateral.valued', (before) => {
    const { collateral, valuation } = valueCollateral(before, input, actionStamp(context))
    return { collateral, writes: [insertValuation(before.collateralId, valuation)] }
  })
}

/** Records the perfection of the security interest. Throws what `domain.perfect` throws. */
export function perfect(context: Context, input: Input & Perfection): Promise<Collateral> {
  const { collateralId: _, ...perfection } = input
  const today = dateOf(context.now())
  return change(
    context,
    'perfectCollateral',
    input,
    'collateral.collateral.perfected',
    (before) => ({
      collateral: domain.perfect(before, perfection, today),
    }),
  )
}

/**
 * Records the insurance of collateral. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and
 * whatever `domain.insure` throws.
 */
export function insure(context: Context, input: Input & Insurance): Promise<Collateral> {
  const { collateralId: _, ...insurance } = input
  const today = dateOf(context.now())
  return change(context, 'insureCollateral', input, 'collateral.collateral.insured', (before) => ({
    collateral: domain.insure(before, insurance, today),
  }))
}

/**
 * Allocates a part of the lendable value to a facility, and replaces the facility's allocation.
 * If the collateral has no owner, the borrower of the facility becomes the owner.
 * Throws COLLATERAL_NOT_FOUND, FACILITY_NOT_FOUND, NOT_FOR_DELEGATED_USERS, INSUFFICIENT_COLLATERAL
 * if a facility would have less coverage than it requires, and whatever `domain.allocate` throws.
 */
export function allocate(context: Context, input: Input & AllocationRequest): Promise<Collateral> {
  const event = 'collateral.collateral.allocated'
  const decide = async (before: Collateral) => {
    const [facility] = await readFacilities(context, [input.facilityId])
    if (!facility) throw missingFacility(input.facilityId, '')
    return { collateral: allocateTo(before, input, facility) }
  }
  return change(context, 'allocateCollateral', input, event, decide, true)
}

/**
 * Removes the allocation of collateral to a facility. Throws COLLATERAL_NOT_FOUND,
 * INSUFFICIENT_COLLATERAL, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function deallocate(
  context: Context,
  input: Input & { facilityId: string },
): Promise<Collateral> {
  const event = 'collateral.collateral.deallocated'
  const decide = (before: Collateral) => ({
    collateral: domain.deallocate(before, input.facilityId),
  })
  return change(context, 'deallocateCollateral', input, event, decide, true)
}

/**
 * Changes the status of collateral. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS,
 * INSUFFICIENT_COLLATERAL if a facility would have less coverage than it requires after a release,
 * and whatever `decide` throws.
 */
export function changeStatus(
  context: Context,
  operation: string,
  input: object,
  collateralId: string,
  event: CollateralEvent,
  decide: (before: Collateral, now: Date) => Collateral | Promise<Collateral>,
): Promise<Collateral> {
  const isRelease = event === 'collateral.collateral.released'
  const decideChange = async (before: Collateral, now: Date) => ({
    collateral: await decide(before, now),
  })
  return change(context, operation, { ...input, collateralId }, event, decideChange, isRelease)
}

/**
 * Records the proceeds of a liquidation. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and
 * whatever `domain.recordLiquidation` throws.
 */
export function recordLiquidation(
  context: Context,
  input: Input & { proceeds: MoneyRequest },
): Promise<Collateral> {
  const event = 'collateral.collateral.liquidated'
  return change(context, 'recordLiquidation', input, event, (before) => ({
    collateral: domain.recordLiquidation(before, input.proceeds),
  }))
}
