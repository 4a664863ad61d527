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
  /** After all others when absent. */
  rank?: number | null
  amount?: AskedMoney | null
  pct?: string | null
}

const mostAllocations = 50
const lastRank = 99

/**
 * Allocates a part of a collateral to a facility, in place of what it had: an amount, or percent of what
 * may be lent against it, all of it when neither is said. `facilityCurrency` is the facility's; `at` is
 * where it is in the request.
 * Refuses with INVALID_STATE_TRANSITION, VALUATION_REQUIRED, CURRENCY_MISMATCH, OVER_ALLOCATED, VALIDATION_FAILED.
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
    const detail = `The facility is in ${facilityCurrency}, the collateral in ${currency}.`
    const code = 'CURRENCY_MISMATCH'
    throw new Problem(code, { detail, errors: [{ pointer: `${at}/facilityId`, code, detail }] })
  }
  const others = before.allocations.filter(({ facilityId }) => facilityId !== asked.facilityId)
  const allocations = [...others, allocationOf(asked, others, currency, at)]
  if (allocations.length > mostAllocations) {
    throw invalid(`${at}/facilityId`, 'TOO_MANY', `At most ${mostAllocations}.`)
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
  if (amount && pct) throw invalid(`${at}/pct`, 'ONE_OF', 'Either an amount or percent.')
  const last = Math.max(0, ...others.map((each) => each.rank))
  const own = rank ?? Math.min(last + 1, lastRank)
  if (own < 1 || own > lastRank) throw invalid(`${at}/rank`, 'OUT_OF_RANGE', 'From 1 to 99.')
  if (!amount) {
    const share = requirePercent(pct ?? '100', `${at}/pct`, 'some')
    return { facilityId, rank: own, amountMinor: null, pct: share }
  }
  const amountMinor = amountIn(amount, currency, `${at}/amount`)
  if (amountMinor > 0n) return { facilityId, rank: own, amountMinor, pct: null }
  throw invalid(`${at}/amount/amount`, 'INVALID_AMOUNT', 'More than 0.')
}

/** Takes a collateral away from a facility. One that it is not allocated to stays as it was. Refuses with INVALID_STATE_TRANSITION. */
export function deallocate(before: Collateral, facilityId: string): Collateral {
  stateAfter(before, 'deallocate')
  const allocations = before.allocations.filter((each) => each.facilityId !== facilityId)
  return allocations.length === before.allocations.length ? before : { ...before, allocations }
}

/** Records that the bank's right is good against everybody; what was valued counts from now. Refuses with INVALID_STATE_TRANSITION, INVALID_DATE_RANGE. */
export function perfect(before: Collateral, perfection: Perfection, today: LocalDate): Collateral {
  const { perfectedOn, expiresOn } = perfection
  requireDates(perfectedOn <= today, '/perfectedOn', `Today is ${today}.`)
  const isOrdered = expiresOn === null || expiresOn >= perfectedOn
  requireDates(isOrdered, '/expiresOn', `Not before ${perfectedOn}.`)
  return renewed({ ...before, status: stateAfter(before, 'perfect'), perfection }, 'perfection')
}

/** Records the insurance of a collateral. Refuses with INVALID_STATE_TRANSITION, INVALID_DATE_RANGE. */
export function insure(before: Collateral, insurance: Insurance, today: LocalDate): Collateral {
  requireDates(insurance.expiresOn >= today, '/expiresOn', `Today is ${today}.`)
  return renewed({ ...before, status: stateAfter(before, 'insure'), insurance }, 'insurance')
}

function requireDates(isOrdered: boolean, pointer: string, detail: string): void {
  if (isOrdered) return
  const code = 'INVALID_DATE_RANGE'
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/** Acts that move a collateral and say why. */
export type Move =
  'impair' | 'restore' | 'requestRelease' | 'withdrawRelease' | 'release' | 'liquidate' | 'reject'

/** Moves a collateral. One that has ended is allocated to nobody. Refuses with INVALID_STATE_TRANSITION. */
export function move(before: Collateral, act: Move, reason: string | null): Collateral {
  const status = stateAfter(before, act)
  const allocations = hasEnded(status) ? [] : before.allocations
  return { ...before, status, statusReason: reason, allocations }
}

/** Records what selling a collateral brought. Refuses with INVALID_STATE_TRANSITION, CURRENCY_MISMATCH, VALIDATION_FAILED. */
export function recordLiquidation(before: Collateral, proceeds: AskedMoney): Collateral {
  const status = stateAfter(before, 'recordLiquidation')
  const proceedsMinor = amountIn(proceeds, before.currency, '/proceeds')
  const { currency } = proceeds
  return { ...before, status, currency, proceedsMinor, allocations: [] }
}

/** A collateral of which somebody was told what ran out; null when nothing has. */
export function lapse(
  before: Collateral,
  today: LocalDate,
): { collateral: Collateral; news: Lapse[] } | null {
  const news = lapsedBy(before, before.lapsed, today)
  if (news.length === 0) return null
  return { collateral: { ...before, lapsed: [...before.lapsed, ...news] }, news }
}
