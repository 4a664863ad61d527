import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, publish, versioned, type Decided } from '../_kernel/records.ts'
import type { Write } from '../_kernel/writes.ts'
import { changeCoverage } from './coverage.ts'
import * as domain from './domain/acts.ts'
import type { AllocationAsked, Move } from './domain/acts.ts'
import {
  describeCollateral,
  newCollateral,
  valueCollateral,
  withNextLapse,
  type Collateral,
  type Described,
  type Insurance,
  type NewCollateral,
  type Perfection,
} from './domain/collateral.ts'
import { requireUnpledged, uniqueNames } from './domain/identifier.ts'
import { ownedByDefault } from './domain/owner.ts'
import { hasEnded } from './domain/states.ts'
import type { AskedMoney, ValuationAsked } from './domain/valuation.ts'
import type { CollateralEvent } from './events.ts'
import { collateralKind, insertValuation, takenNames, writeNames } from './store/collateral.ts'
import { readFacilities, type Facility } from './store/coverage.ts'

export interface CollateralAsked extends NewCollateral {
  collateralId?: string | null
  links?: readonly AllocationAsked[] | null
}

/**
 * Creates a collateral and allocates it to the given facilities. Repeating the request with the
 * same id and content returns the existing collateral. Delegated users can propose assets they own,
 * without a valuation.
 * Throws PARTY_NOT_FOUND, FACILITY_NOT_FOUND for unknown references, COLLATERAL_IDENTIFIER_IN_USE,
 * RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS, and what `newCollateral` and `domain.allocate` throw.
 */
export function createCollateral(context: Context, asked: CollateralAsked): Promise<Collateral> {
  const { collateralId } = asked
  const own = ownOf(context, asked)
  const operation = 'createCollateral'
  return createRecord(context, collateralKind, operation, asked, collateralId, async (made) => {
    const head = { ...versioned(made), collateralId: made.id }
    const bare = newCollateral(own, head, doing(context))
    const linked = await linkAll(context, bare, asked.links ?? [])
    const effects = await effectsOf(context, null, linked, false)
    const isLinked = linked.allocations.length > 0
    const told = isLinked
      ? publish(collateralKind, linked, 'collateral.collateral.allocated')
      : null
    const { valuation } = linked
    return {
      record: linked,
      writes: [...(valuation ? [insertValuation(made.id, valuation)] : []), ...effects.writes],
      events: [...(told?.events ?? []), ...effects.events],
      facts: effects.facts,
    }
  })
}

const doing = (context: Context) => ({ by: context.caller.subject, now: context.now() })

/**
 * Applies the rules for delegated users: they must be an owner, and own 100 percent if no owners
 * are given.
 */
function ownOf({ caller }: Context, asked: CollateralAsked): CollateralAsked {
  const { partyId } = caller
  if (partyId === null) return asked
  const { owners, valuation, links, haircutPct, priorLiens, status } = asked
  const isPlain = !valuation && !links?.length && !haircutPct && !priorLiens
  const isOwn = !owners?.length || owners.some((each) => each.partyId === partyId)
  const isProposal = (status ?? 'proposed').toLowerCase() === 'proposed'
  if (isPlain && isOwn && isProposal) return { ...asked, owners: owners ?? [{ partyId }] }
  throw new Problem('NOT_FOR_DELEGATED_USERS')
}

async function linkAll(
  context: Context,
  before: Collateral,
  links: readonly AllocationAsked[],
): Promise<Collateral> {
  const facilities = await readFacilities(
    context,
    links.map(({ facilityId }) => facilityId),
  )
  return links.reduce((collateral, link, at) => {
    const pointer = `/links/${at}`
    const facility = facilities[at]
    if (!facility) throw missingFacility(link.facilityId, pointer)
    return allocateTo(collateral, link, facility, pointer)
  }, before)
}

/** Allocates, and makes the borrower the owner of a collateral that has none. */
function allocateTo(before: Collateral, asked: AllocationAsked, facility: Facility, at = '') {
  const allocated = domain.allocate(before, asked, facility.currency, at)
  return ownedByDefault(allocated, facility.partyId)
}

const missingFacility = (facilityId: string, at: string) =>
  missingReference('FACILITY_NOT_FOUND', facilityId, `${at}/facilityId`)

/** The further writes of a change: unique identifiers and the coverage of facilities. */
async function effectsOf(
  context: Context,
  before: Collateral | null,
  after: Collateral,
  isVoluntary: boolean,
) {
  if (before?.owners !== after.owners) await requireOwners(context, after)
  const isHeld = !hasEnded(after.status)
  const names = writeNames(before, after, isHeld)
  if (isHeld && names.length > 0) {
    const asked = uniqueNames(after.identifiers)
    requireUnpledged(after.identifiers, await takenNames(context, asked, after.collateralId))
  }
  const change = await changeCoverage(context, before, after, isVoluntary)
  return { ...change, writes: [...names, ...change.writes] }
}

async function requireOwners(context: Context, { owners }: Collateral): Promise<void> {
  const facts = await readFacts(
    context,
    owners.map(({ partyId }) => `party/${partyId}`),
  )
  const at = facts.findIndex((fact) => !fact)
  if (at < 0) return
  throw missingReference('PARTY_NOT_FOUND', owners[at]!.partyId, `/owners/${at}/partyId`)
}

interface Change {
  collateral: Collateral
  writes?: readonly Write[]
}

type Input = { collateralId: string }

/**
 * Changes a collateral and the coverage that depends on it. A voluntary change is refused if it
 * would leave a facility with less coverage than it requires.
 */
function change(
  context: Context,
  operation: string,
  input: Input,
  event: CollateralEvent,
  decide: (before: Collateral) => Change | Promise<Change>,
  isVoluntary = false,
): Promise<Collateral> {
  requireBank(context)
  const decideAll = async (before: Collateral): Promise<Decided<Collateral>> => {
    const { collateral, writes = [] } = await decide(before)
    if (collateral === before) return { record: before }
    const record = withNextLapse(collateral)
    const effects = await effectsOf(context, before, record, isVoluntary)
    return { record, ...effects, writes: [...writes, ...effects.writes] }
  }
  const { collateralId } = input
  return changeRecord(context, collateralKind, operation, input, collateralId, event, decideAll)
}

/**
 * Updates a collateral. Throws COLLATERAL_NOT_FOUND, PARTY_NOT_FOUND, COLLATERAL_IDENTIFIER_IN_USE,
 * NOT_FOR_DELEGATED_USERS, and what `describeCollateral` throws.
 */
export function update(context: Context, input: Input & Described): Promise<Collateral> {
  return change(context, 'updateCollateral', input, 'collateral.collateral.updated', (before) => ({
    collateral: describeCollateral(before, input),
  }))
}

/**
 * Records a valuation. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and what
 * `valueCollateral` throws.
 */
export function value(context: Context, input: Input & ValuationAsked): Promise<Collateral> {
  return change(context, 'valueCollateral', input, 'collateral.collateral.valued', (before) => {
    const { collateral, valuation } = valueCollateral(before, input, doing(context))
    return { collateral, writes: [insertValuation(before.collateralId, valuation)] }
  })
}

/**
 * Records the perfection of the security interest. Throws COLLATERAL_NOT_FOUND,
 * NOT_FOR_DELEGATED_USERS, and what `domain.perfect` throws.
 */
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
 * Records the insurance of a collateral. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and
 * what `domain.insure` throws.
 */
export function insure(context: Context, input: Input & Insurance): Promise<Collateral> {
  const { collateralId: _, ...insurance } = input
  const today = dateOf(context.now())
  return change(context, 'insureCollateral', input, 'collateral.collateral.insured', (before) => ({
    collateral: domain.insure(before, insurance, today),
  }))
}

/**
 * Allocates part of a collateral to a facility, replacing an earlier allocation. If the collateral
 * has no owner, the borrower of the facility becomes the owner.
 * Throws COLLATERAL_NOT_FOUND, FACILITY_NOT_FOUND, NOT_FOR_DELEGATED_USERS, INSUFFICIENT_COLLATERAL
 * if a facility would be left with less coverage than it requires, and what `domain.allocate`
 * throws.
 */
export function allocate(context: Context, input: Input & AllocationAsked): Promise<Collateral> {
  const event = 'collateral.collateral.allocated'
  const decide = async (before: Collateral) => {
    const [facility] = await readFacilities(context, [input.facilityId])
    if (!facility) throw missingFacility(input.facilityId, '')
    return { collateral: allocateTo(before, input, facility) }
  }
  return change(context, 'allocateCollateral', input, event, decide, true)
}

/**
 * Removes the allocation to a facility. Throws COLLATERAL_NOT_FOUND, INSUFFICIENT_COLLATERAL,
 * INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
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

/** The event of each status change. */
const toldOf = {
  impair: 'impaired',
  restore: 'restored',
  requestRelease: 'release-requested',
  withdrawRelease: 'release-withdrawn',
  release: 'released',
  liquidate: 'liquidation-started',
  reject: 'rejected',
} as const satisfies Record<Move, string>

/**
 * Changes the status of a collateral. Throws COLLATERAL_NOT_FOUND, INVALID_STATE_TRANSITION,
 * NOT_FOR_DELEGATED_USERS, and INSUFFICIENT_COLLATERAL for a release that would leave a facility
 * with less coverage than it requires.
 */
export function move(
  context: Context,
  operation: string,
  act: Move,
  input: Input & { reason: string | null },
): Promise<Collateral> {
  const decide = (before: Collateral) => ({ collateral: domain.move(before, act, input.reason) })
  const event: CollateralEvent = `collateral.collateral.${toldOf[act]}`
  return change(context, operation, input, event, decide, act === 'release')
}

/**
 * Records the proceeds of a liquidation. Throws COLLATERAL_NOT_FOUND, NOT_FOR_DELEGATED_USERS, and
 * what `domain.recordLiquidation` throws.
 */
export function recordLiquidation(
  context: Context,
  input: Input & { proceeds: AskedMoney },
): Promise<Collateral> {
  const event = 'collateral.collateral.liquidated'
  return change(context, 'recordLiquidation', input, event, (before) => ({
    collateral: domain.recordLiquidation(before, input.proceeds),
  }))
}
