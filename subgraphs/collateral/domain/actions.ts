import type { AllocationRequest } from '../model/collateral-inputs.ts'
import {
  collateralStates,
  type Collateral,
  type Insurance,
  type Perfection,
} from '../model/collateral.ts'
import type { Lapse } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { assertTransition } from '../../../kernel/domain/states.ts'
import { Problem } from './problems.ts'
import { requireNotOverAllocated, type Allocation } from './allocation.ts'
import { lendableMinor, withoutReportedLapse } from './collateral.ts'
import { unreportedLapses } from './lapse.ts'
import { requirePercent } from './percent.ts'
import { invalid } from './refusals.ts'
import { stateAfter } from './states.ts'
import { amountIn, type MoneyRequest } from './valuation.ts'

const maxAllocations = 50
const lastRank = 99

/**
 * Allocates collateral to a facility, and replaces the previous allocation to the facility. The
 * allocation is an amount or a percentage of the lendable value, by default 100 percent. `pointer`
 * is the JSON pointer of the allocation in the request.
 * Throws INVALID_STATE_TRANSITION, VALUATION_REQUIRED, CURRENCY_MISMATCH, OVER_ALLOCATED,
 * VALIDATION_FAILED.
 */
export function allocate(
  before: Collateral,
  request: AllocationRequest,
  facilityCurrency: string,
  pointer = '',
): Collateral {
  const status = stateAfter(before, 'allocate')
  const { currency, valuation, collateralId } = before
  if (!valuation || currency === null) {
    throw new Problem('VALUATION_REQUIRED', { resourceId: collateralId })
  }
  if (currency !== facilityCurrency) {
    const detail = `The facility is in ${facilityCurrency}, but the collateral is in ${currency}.`
    const code = 'CURRENCY_MISMATCH'
    throw new Problem(code, {
      detail,
      errors: [{ pointer: `${pointer}/facilityId`, code, detail }],
    })
  }
  const otherAllocations = before.allocations.filter(
    ({ facilityId }) => facilityId !== request.facilityId,
  )
  const allocation = allocationOf(request, otherAllocations, currency, pointer)
  const allocations = [...otherAllocations, allocation]
  if (allocations.length > maxAllocations) {
    const detail = `The collateral can secure at most ${maxAllocations} facilities.`
    throw invalid(`${pointer}/facilityId`, 'TOO_MANY', detail)
  }
  const format = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`
  requireNotOverAllocated(allocations, lendableMinor(before), `${pointer}/amount`, format)
  return { ...before, status, allocations }
}

function allocationOf(
  { facilityId, rank, amount, pct }: AllocationRequest,
  otherAllocations: readonly Allocation[],
  currency: string,
  pointer: string,
): Allocation {
  if (amount && pct) throw invalid(`${pointer}/pct`, 'ONE_OF', 'Send either amount or pct.')
  const highestRank = Math.max(0, ...otherAllocations.map((each) => each.rank))
  const effectiveRank = rank ?? Math.min(highestRank + 1, lastRank)
  if (effectiveRank < 1 || effectiveRank > lastRank) {
    throw invalid(
      `${pointer}/rank`,
      'OUT_OF_RANGE',
      `The rank is ${effectiveRank}; it must be from 1 to 99.`,
    )
  }
  if (!amount) {
    const share = requirePercent(pct ?? '100', `${pointer}/pct`, 'some')
    return { facilityId, rank: effectiveRank, amountMinor: null, pct: share }
  }
  const amountMinor = amountIn(amount, currency, `${pointer}/amount`)
  if (amountMinor > 0n) return { facilityId, rank: effectiveRank, amountMinor, pct: null }
  throw invalid(
    `${pointer}/amount/amount`,
    'INVALID_AMOUNT',
    'The amount must be greater than zero.',
  )
}

/** Removes the allocation to a facility, if there is one. Throws INVALID_STATE_TRANSITION. */
export function deallocate(before: Collateral, facilityId: string): Collateral {
  stateAfter(before, 'deallocate')
  const allocations = before.allocations.filter((each) => each.facilityId !== facilityId)
  return allocations.length === before.allocations.length ? before : { ...before, allocations }
}

/**
 * Records the perfection of the security interest. Collateral in the status `valued` becomes
 * `active`.
 * Throws INVALID_STATE_TRANSITION, INVALID_DATE_RANGE.
 */
export function perfect(before: Collateral, perfection: Perfection, today: LocalDate): Collateral {
  const { perfectedOn, expiresOn } = perfection
  const futureDetail = `${perfectedOn} is in the future; today is ${today}.`
  requireDateOrder(perfectedOn <= today, '/perfectedOn', futureDetail)
  const isOrdered = expiresOn === null || expiresOn >= perfectedOn
  requireDateOrder(
    isOrdered,
    '/expiresOn',
    `The perfection must not expire before it starts on ${perfectedOn}.`,
  )
  return withoutReportedLapse(
    { ...before, status: stateAfter(before, 'perfect'), perfection },
    'perfection',
  )
}

/** Records the insurance of collateral. Throws INVALID_STATE_TRANSITION, INVALID_DATE_RANGE. */
export function insure(before: Collateral, insurance: Insurance, today: LocalDate): Collateral {
  const expiredDetail = `The policy expired on ${insurance.expiresOn}; today is ${today}.`
  requireDateOrder(insurance.expiresOn >= today, '/expiresOn', expiredDetail)
  return withoutReportedLapse(
    { ...before, status: stateAfter(before, 'insure'), insurance },
    'insurance',
  )
}

function requireDateOrder(isOrdered: boolean, pointer: string, detail: string): void {
  if (isOrdered) return
  const code = 'INVALID_DATE_RANGE'
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/**
 * Records the proceeds of a liquidation and ends all allocations. Throws INVALID_STATE_TRANSITION,
 * CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export function recordLiquidation(before: Collateral, proceeds: MoneyRequest): Collateral {
  assertTransition(collateralStates.table, before.status, 'liquidated', before.collateralId)
  const proceedsMinor = amountIn(proceeds, before.currency, '/proceeds')
  const { currency } = proceeds
  return { ...before, status: 'liquidated', currency, proceedsMinor, allocations: [] }
}

/** Marks new lapses as reported and returns them in `news`; null if there are no new lapses. */
export function reportLapses(
  before: Collateral,
  today: LocalDate,
): { collateral: Collateral; news: Lapse[] } | null {
  const news = unreportedLapses(before, before.lapsed, today)
  if (news.length === 0) return null
  return { collateral: { ...before, lapsed: [...before.lapsed, ...news] }, news }
}
