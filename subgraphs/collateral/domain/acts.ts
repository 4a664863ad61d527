import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireNotOverAllocated, type Allocation } from './allocation.ts'
import {
  lendableMinor,
  renewed,
  type Collateral,
  type Insurance,
  type Perfection,
} from './collateral.ts'
import { lapsedBy, type Lapse } from './lapse.ts'
import { requirePercent } from './percent.ts'
import { invalid } from './refusals.ts'
import { hasEnded, stateAfter } from './states.ts'
import { amountIn, type AskedMoney } from './valuation.ts'

export interface AllocationAsked {
  facilityId: string
  /** Defaults to the rank after all others. */
  rank?: number | null
  amount?: AskedMoney | null
  pct?: string | null
}

const mostAllocations = 50
const lastRank = 99

/**
 * Allocates part of a collateral to a facility, replacing an earlier allocation: an amount, a
 * percentage of the lendable value, or by default all of it. `at` is the JSON pointer of the
 * allocation in the request.
 * Throws INVALID_STATE_TRANSITION, VALUATION_REQUIRED, CURRENCY_MISMATCH, OVER_ALLOCATED,
 * VALIDATION_FAILED.
 */
export function allocate(
  before: Collateral,
  asked: AllocationAsked,
  facilityCurrency: string,
  at = '',
): Collateral {
  const status = stateAfter(before, 'allocate')
  const { currency, valuation, collateralId } = before
  if (!valuation || currency === null) {
    throw new Problem('VALUATION_REQUIRED', { resourceId: collateralId })
  }
  if (currency !== facilityCurrency) {
    const detail = `The facility is in ${facilityCurrency}, but the collateral is in ${currency}.`
    const code = 'CURRENCY_MISMATCH'
    throw new Problem(code, { detail, errors: [{ pointer: `${at}/facilityId`, code, detail }] })
  }
  const others = before.allocations.filter(({ facilityId }) => facilityId !== asked.facilityId)
  const allocations = [...others, allocationOf(asked, others, currency, at)]
  if (allocations.length > mostAllocations) {
    const detail = `A collateral can secure at most ${mostAllocations} facilities.`
    throw invalid(`${at}/facilityId`, 'TOO_MANY', detail)
  }
  const format = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`
  requireNotOverAllocated(allocations, lendableMinor(before), `${at}/amount`, format)
  return { ...before, status, allocations }
}

function allocationOf(
  { facilityId, rank, amount, pct }: AllocationAsked,
  others: readonly Allocation[],
  currency: string,
  at: string,
): Allocation {
  if (amount && pct) throw invalid(`${at}/pct`, 'ONE_OF', 'Send either amount or pct.')
  const last = Math.max(0, ...others.map((each) => each.rank))
  const own = rank ?? Math.min(last + 1, lastRank)
  if (own < 1 || own > lastRank) {
    throw invalid(`${at}/rank`, 'OUT_OF_RANGE', `The rank is ${own}; it must be from 1 to 99.`)
  }
  if (!amount) {
    const share = requirePercent(pct ?? '100', `${at}/pct`, 'some')
    return { facilityId, rank: own, amountMinor: null, pct: share }
  }
  const amountMinor = amountIn(amount, currency, `${at}/amount`)
  if (amountMinor > 0n) return { facilityId, rank: own, amountMinor, pct: null }
  throw invalid(`${at}/amount/amount`, 'INVALID_AMOUNT', 'The amount must be greater than zero.')
}

/** Removes the allocation to a facility, if there is one. Throws INVALID_STATE_TRANSITION. */
export function deallocate(before: Collateral, facilityId: string): Collateral {
  stateAfter(before, 'deallocate')
  const allocations = before.allocations.filter((each) => each.facilityId !== facilityId)
  return allocations.length === before.allocations.length ? before : { ...before, allocations }
}

/**
 * Records the perfection of the security interest; a valued collateral becomes active. Throws
 * INVALID_STATE_TRANSITION, INVALID_DATE_RANGE.
 */
export function perfect(before: Collateral, perfection: Perfection, today: LocalDate): Collateral {
  const { perfectedOn, expiresOn } = perfection
  const future = `${perfectedOn} is in the future; today is ${today}.`
  requireDates(perfectedOn <= today, '/perfectedOn', future)
  const isOrdered = expiresOn === null || expiresOn >= perfectedOn
  requireDates(isOrdered, '/expiresOn', `The perfection expires before ${perfectedOn}, its start.`)
  return renewed({ ...before, status: stateAfter(before, 'perfect'), perfection }, 'perfection')
}

/** Records the insurance of a collateral. Throws INVALID_STATE_TRANSITION, INVALID_DATE_RANGE. */
export function insure(before: Collateral, insurance: Insurance, today: LocalDate): Collateral {
  const expired = `The policy expired on ${insurance.expiresOn}; today is ${today}.`
  requireDates(insurance.expiresOn >= today, '/expiresOn', expired)
  return renewed({ ...before, status: stateAfter(before, 'insure'), insurance }, 'insurance')
}

function requireDates(isOrdered: boolean, pointer: string, detail: string): void {
  if (isOrdered) return
  const code = 'INVALID_DATE_RANGE'
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** Status changes that carry a reason. */
export type Move =
  'impair' | 'restore' | 'requestRelease' | 'withdrawRelease' | 'release' | 'liquidate' | 'reject'

/** Changes the status. A final status removes all allocations. Throws INVALID_STATE_TRANSITION. */
export function move(before: Collateral, act: Move, reason: string | null): Collateral {
  const status = stateAfter(before, act)
  const allocations = hasEnded(status) ? [] : before.allocations
  return { ...before, status, statusReason: reason, allocations }
}

/**
 * Records the proceeds of a liquidation. Throws INVALID_STATE_TRANSITION, CURRENCY_MISMATCH,
 * VALIDATION_FAILED.
 */
export function recordLiquidation(before: Collateral, proceeds: AskedMoney): Collateral {
  const status = stateAfter(before, 'recordLiquidation')
  const proceedsMinor = amountIn(proceeds, before.currency, '/proceeds')
  const { currency } = proceeds
  return { ...before, status, currency, proceedsMinor, allocations: [] }
}

/** Marks what has lapsed since the last check as reported; null if nothing has. */
export function lapse(
  before: Collateral,
  today: LocalDate,
): { collateral: Collateral; news: Lapse[] } | null {
  const news = lapsedBy(before, before.lapsed, today)
  if (news.length === 0) return null
  return { collateral: { ...before, lapsed: [...before.lapsed, ...news] }, news }
}
