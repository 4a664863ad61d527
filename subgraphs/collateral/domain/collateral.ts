import type { Collateral } from '../model/collateral.ts'
import type { CollateralDescription, ValuationRequest } from '../model/collateral-inputs.ts'
import type { CollateralStatus, Lapse } from '../model/enumerations.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { distributeLendableValue } from './allocation.ts'
import { identifiersOf } from './identifier.ts'
import { defaultHaircutPct } from './kinds.ts'
import { nextLapseDate } from './lapse.ts'
import { ownersOf } from './owner.ts'
import { hundredPercent, percentOf, requirePercent, shareDown } from './percent.ts'
import { hasEnded, isCovering, stateAfter } from './states.ts'
import { amountIn, newValuation, type Valuation } from './valuation.ts'

export interface NewCollateral extends CollateralDescription {
  collateralType: string
  status?: string | null
  valuation?: ValuationRequest | null
}

/** The user or client who acts, and the time. */
export interface ActionStamp {
  by: string
  now: Date
}

/**
 * Creates a collateral record. Its default status is `active` with a valuation, and `proposed`
 * without a valuation.
 * Throws INVALID_INITIAL_STATUS, CURRENCY_MISMATCH, VALIDATION_FAILED, and whatever `ownersOf`,
 * `identifiersOf` and `newValuation` throw.
 */
export function newCollateral(
  request: NewCollateral,
  identity: Versioned & { collateralId: string },
  stamp: ActionStamp,
): Collateral {
  const { collateralType, valuation } = request
  const status: CollateralStatus = valuation
    ? initialState(request.status, ['valued', 'active'], 'active')
    : initialState(request.status, ['proposed', 'active'], 'proposed')
  const initial: Collateral = {
    ...identity,
    collateralType,
    description: null,
    status,
    statusReason: null,
    owners: [],
    identifiers: [],
    haircutPct: defaultHaircutPct(collateralType),
    currency: null,
    priorLiensMinor: 0n,
    valuation: null,
    valuations: 0,
    allocations: [],
    perfection: null,
    insurance: null,
    proceedsMinor: null,
    lapsed: [],
    nextLapseOn: null,
  }
  const described = withDescription(initial, request)
  if (!valuation) return described
  return withNextLapse(
    applyValuation(described, valuationOf(described, valuation, stamp, '/valuation')),
  )
}

/**
 * Updates the descriptive properties. Throws INVALID_STATE_TRANSITION, CURRENCY_MISMATCH,
 * VALIDATION_FAILED, and whatever `ownersOf` and `identifiersOf` throw.
 */
export function describeCollateral(before: Collateral, request: CollateralDescription): Collateral {
  return withDescription({ ...before, status: stateAfter(before, 'update') }, request)
}

function withDescription(before: Collateral, request: CollateralDescription): Collateral {
  const { description, owners, identifiers, haircutPct, priorLiens } = request
  return {
    ...before,
    description: description ?? before.description,
    owners: owners ? ownersOf(owners) : before.owners,
    identifiers: identifiers ? identifiersOf(identifiers) : before.identifiers,
    haircutPct: haircutPct ? requirePercent(haircutPct, '/haircutPct', 'none') : before.haircutPct,
    ...(priorLiens && {
      currency: priorLiens.currency,
      priorLiensMinor: amountIn(priorLiens, before.currency, '/priorLiens'),
    }),
  }
}

/**
 * Returns the lendable value in minor units: the market value less the haircut and the prior liens.
 * It is 0 if the result would be negative or if there is no valuation.
 */
export function lendableMinor({ valuation, haircutPct, priorLiensMinor }: Collateral): bigint {
  if (!valuation) return 0n
  const remainingPercent = hundredPercent - percentOf(haircutPct)
  const lendable = shareDown(valuation.marketValueMinor, remainingPercent) - priorLiensMinor
  return lendable > 0n ? lendable : 0n
}

/**
 * Returns the amount allocated to each facility, in minor units, even if the status of the
 * collateral excludes it from coverage.
 */
export function allocatedMinorByFacility(collateral: Collateral): Map<string, bigint> {
  return distributeLendableValue(collateral.allocations, lendableMinor(collateral))
}

/** Returns the coverage that each facility currently has from the collateral, in minor units. */
export function coverageMinorByFacility(collateral: Collateral): Map<string, bigint> {
  return isCovering(collateral.status) ? allocatedMinorByFacility(collateral) : new Map()
}

/**
 * Records a valuation. The valuation with the latest date applies.
 * Throws INVALID_STATE_TRANSITION, and whatever `newValuation` throws.
 */
export function valueCollateral(
  before: Collateral,
  request: ValuationRequest,
  stamp: ActionStamp,
): { collateral: Collateral; valuation: Valuation } {
  const valuation = valuationOf(before, request, stamp, '')
  const updated = { ...before, status: stateAfter(before, 'value'), valuations: valuation.number }
  const isLatest = !before.valuation || valuation.valuationDate >= before.valuation.valuationDate
  return { collateral: isLatest ? applyValuation(updated, valuation) : updated, valuation }
}

function valuationOf(
  before: Collateral,
  request: ValuationRequest,
  { by, now }: ActionStamp,
  pointer: string,
) {
  const recording = { number: before.valuations + 1, recordedAt: now, recordedBy: by }
  return newValuation(request, recording, dateOf(now), before.currency, pointer)
}

function applyValuation(before: Collateral, valuation: Valuation): Collateral {
  const { currency, number: valuations } = valuation
  return withoutReportedLapse({ ...before, valuation, valuations, currency }, 'revaluation')
}

/** Marks a kind of lapse as not reported, because a renewal ended the lapse that was reported. */
export function withoutReportedLapse(collateral: Collateral, lapse: Lapse): Collateral {
  return { ...collateral, lapsed: collateral.lapsed.filter((each) => each !== lapse) }
}

/** Sets the date of the next lapse to report, or null in a final status. */
export function withNextLapse(collateral: Collateral): Collateral {
  const { status, lapsed } = collateral
  return { ...collateral, nextLapseOn: hasEnded(status) ? null : nextLapseDate(collateral, lapsed) }
}
