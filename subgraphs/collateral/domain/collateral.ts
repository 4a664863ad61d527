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

/** How the bank's right was made good against everybody else. */
export interface Perfection {
  registry: string
  reference: string | null
  perfectedOn: LocalDate
  /** The last day it is good for; null when it does not end. */
  expiresOn: LocalDate | null
}

export interface Insurance {
  insurer: string
  policyNumber: string | null
  /** The last day of the policy. */
  expiresOn: LocalDate
}

/** What secures what the bank lends. */
export interface Collateral extends Versioned {
  collateralId: string
  /** A type of ours, or any other text. */
  collateralType: string
  description: string | null
  status: CollateralStatus
  /** Why it is in its state, in words. */
  statusReason: string | null
  owners: readonly Owner[]
  identifiers: readonly Identifier[]
  /** What is taken off the market value, in percent. */
  haircutPct: string
  /** Of all its amounts; null until one is known. */
  currency: string | null
  /** What others are paid first from it. */
  priorLiensMinor: bigint
  /** The one of the latest day. */
  valuation: Valuation | null
  /** How many there were. */
  valuations: number
  allocations: readonly Allocation[]
  perfection: Perfection | null
  insurance: Insurance | null
  /** What selling it brought. */
  proceedsMinor: bigint | null
  /** What ran out, of what was told. */
  lapsed: readonly Lapse[]
  nextLapseOn: LocalDate | null
}

/** What may be said of a collateral at any time. Absent is as it was. */
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

/** Marks who did something, and when. */
export interface Doing {
  by: string
  now: Date
}

/**
 * Records a collateral. It starts as proposed; with a valuation, as active.
 * Refuses with INVALID_INITIAL_STATUS, and as `describe` and `newValuation`.
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

/** Says more of a collateral. Refuses with INVALID_STATE_TRANSITION, CURRENCY_MISMATCH, VALIDATION_FAILED, and as `ownersOf` and `identifiersOf`. */
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

/** What may be lent against a collateral, in minor units: market value less haircut, less what others are paid first; never less than 0. */
export function lendableMinor({ valuation, haircutPct, priorLiensMinor }: Collateral): bigint {
  if (!valuation) return 0n
  const rest = hundredPercent - percentOf(haircutPct)
  const lendable = shareDown(valuation.marketValueMinor, rest) - priorLiensMinor
  return lendable > 0n ? lendable : 0n
}

/** What each facility gets of a collateral, in minor units, whether it counts now or not. */
export function allocationsOf(collateral: Collateral): Map<string, bigint> {
  return allocatedMinor(collateral.allocations, lendableMinor(collateral))
}

/** What a collateral covers of each facility now, in minor units. */
export function coveringMinor(collateral: Collateral): Map<string, bigint> {
  return isCovering(collateral.status) ? allocationsOf(collateral) : new Map()
}

/**
 * Values a collateral. The valuation of the latest day is the one that counts; others are kept.
 * Refuses with INVALID_STATE_TRANSITION, and as `newValuation`.
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

/** A collateral of which something was renewed: when that runs out, it is told again. */
export function renewed(collateral: Collateral, lapse: Lapse): Collateral {
  return { ...collateral, lapsed: collateral.lapsed.filter((each) => each !== lapse) }
}

/** A collateral that knows when something of it runs out next. */
export function withNextLapse(collateral: Collateral): Collateral {
  const { status, lapsed } = collateral
  return { ...collateral, nextLapseOn: hasEnded(status) ? null : nextLapse(collateral, lapsed) }
}
