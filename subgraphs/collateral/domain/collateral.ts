import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { initialState } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { allocatedMinor, type Allocation } from './allocation.ts'
import { identifiersOf, type Identifier } from './identifier.ts'
import { defaultHaircutPct } from './kinds.ts'
import { nextLapse, type Lapse } from './lapse.ts'
import { ownersOf, type Owner, type OwnerAsked } from './owner.ts'
import { hundredPercent, percentOf, requirePercent, shareDown } from './percent.ts'
import { hasEnded, isCovering, stateAfter, type CollateralStatus } from './states.ts'
import {
  amountIn,
  newValuation,
  type AskedMoney,
  type Valuation,
  type ValuationAsked,
} from './valuation.ts'

/** The perfection of the security interest: its enforceability against third parties. */
export interface Perfection {
  registry: string
  reference: string | null
  perfectedOn: LocalDate
  /** The last day of validity; null if it does not expire. */
  expiresOn: LocalDate | null
}

export interface Insurance {
  insurer: string
  policyNumber: string | null
  /** The last day of the policy. */
  expiresOn: LocalDate
}

/** An asset that secures lending. */
export interface Collateral extends Versioned {
  collateralId: string
  /** A known type or any other text. */
  collateralType: string
  description: string | null
  status: CollateralStatus
  /** The reason for the last status change. */
  statusReason: string | null
  owners: readonly Owner[]
  identifiers: readonly Identifier[]
  /** The haircut deducted from the market value, in percent. */
  haircutPct: string
  /** The currency of all amounts; null until one is recorded. */
  currency: string | null
  /** Claims that rank before the bank. */
  priorLiensMinor: bigint
  /** The valuation with the latest date. */
  valuation: Valuation | null
  /** The number of valuations recorded. */
  valuations: number
  allocations: readonly Allocation[]
  perfection: Perfection | null
  insurance: Insurance | null
  /** The proceeds of the liquidation. */
  proceedsMinor: bigint | null
  /** What has lapsed and was reported. */
  lapsed: readonly Lapse[]
  nextLapseOn: LocalDate | null
}

/** Descriptive properties. Omitted ones keep their values. */
export interface Described {
  description?: string | null
  owners?: readonly OwnerAsked[] | null
  identifiers?: readonly Identifier[] | null
  haircutPct?: string | null
  priorLiens?: AskedMoney | null
}

export interface NewCollateral extends Described {
  collateralType: string
  status?: string | null
  valuation?: ValuationAsked | null
}

/** The user or client who acts, and the time. */
export interface Doing {
  by: string
  now: Date
}

/**
 * Creates a collateral, as `active` with a valuation and `proposed` without one by default.
 * Throws INVALID_INITIAL_STATUS, and what `describeCollateral` and `newValuation` throw.
 */
export function newCollateral(
  asked: NewCollateral,
  made: Versioned & { collateralId: string },
  doing: Doing,
): Collateral {
  const { collateralType, valuation } = asked
  const status: CollateralStatus = valuation
    ? initialState(asked.status, ['valued', 'active'], 'active')
    : initialState(asked.status, ['proposed', 'active'], 'proposed')
  const bare: Collateral = {
    ...made,
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
  const said = withDescription(bare, asked)
  if (!valuation) return said
  return withNextLapse(valued(said, valuationOf(said, valuation, doing, '/valuation')))
}

/**
 * Updates the descriptive properties. Throws INVALID_STATE_TRANSITION, CURRENCY_MISMATCH,
 * VALIDATION_FAILED, and what `ownersOf` and `identifiersOf` throw.
 */
export function describeCollateral(before: Collateral, asked: Described): Collateral {
  return withDescription({ ...before, status: stateAfter(before, 'update') }, asked)
}

function withDescription(before: Collateral, asked: Described): Collateral {
  const { description, owners, identifiers, haircutPct, priorLiens } = asked
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

/** The lendable value in minor units: market value less haircut and prior liens, at least 0. */
export function lendableMinor({ valuation, haircutPct, priorLiensMinor }: Collateral): bigint {
  if (!valuation) return 0n
  const rest = hundredPercent - percentOf(haircutPct)
  const lendable = shareDown(valuation.marketValueMinor, rest) - priorLiensMinor
  return lendable > 0n ? lendable : 0n
}

/**
 * The amount allocated to each facility, in minor units, whether or not it counts as coverage now.
 */
export function allocationsOf(collateral: Collateral): Map<string, bigint> {
  return allocatedMinor(collateral.allocations, lendableMinor(collateral))
}

/** The coverage each facility has from a collateral now, in minor units. */
export function coveringMinor(collateral: Collateral): Map<string, bigint> {
  return isCovering(collateral.status) ? allocationsOf(collateral) : new Map()
}

/**
 * Records a valuation. The one with the latest date applies; all are kept.
 * Throws INVALID_STATE_TRANSITION, and what `newValuation` throws.
 */
export function valueCollateral(
  before: Collateral,
  asked: ValuationAsked,
  doing: Doing,
): { collateral: Collateral; valuation: Valuation } {
  const valuation = valuationOf(before, asked, doing, '')
  const moved = { ...before, status: stateAfter(before, 'value'), valuations: valuation.number }
  const isLatest = !before.valuation || valuation.valuationDate >= before.valuation.valuationDate
  return { collateral: isLatest ? valued(moved, valuation) : moved, valuation }
}

function valuationOf(before: Collateral, asked: ValuationAsked, { by, now }: Doing, at: string) {
  const made = { number: before.valuations + 1, recordedAt: now, recordedBy: by }
  return newValuation(asked, made, dateOf(now), before.currency, at)
}

function valued(before: Collateral, valuation: Valuation): Collateral {
  const { currency, number: valuations } = valuation
  return renewed({ ...before, valuation, valuations, currency }, 'revaluation')
}

/** Clears a lapse after a renewal, so that the next one is reported again. */
export function renewed(collateral: Collateral, lapse: Lapse): Collateral {
  return { ...collateral, lapsed: collateral.lapsed.filter((each) => each !== lapse) }
}

/** Sets the date of the next lapse. */
export function withNextLapse(collateral: Collateral): Collateral {
  const { status, lapsed } = collateral
  return { ...collateral, nextLapseOn: hasEnded(status) ? null : nextLapse(collateral, lapsed) }
}
