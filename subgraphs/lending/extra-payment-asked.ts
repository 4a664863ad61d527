import type { Context } from '../_kernel/context.ts'
import { addDays, dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { valueDateWindowDays } from '../_ledger/domain/posting.ts'
import { addMonths, toDate } from './domain/calendar.ts'
import {
  planExtraPayment,
  strategyOf,
  type ExtraPaymentPlan,
  type ExtraPaymentTerms,
} from './domain/extra-payment-request.ts'
import type { Facility } from './domain/facility.ts'
import type { ExtraPaymentStrategy } from './domain/loan.ts'
import { fault, invalid } from './domain/refusals.ts'
import { requireRepayable } from './domain/repayment.ts'
import { readAmount } from './drawdown-asked.ts'
import { readPolicy } from './read-policy.ts'
import { readSource, requireFacilityWithDues } from './repayments.ts'
import { servicedToday } from './serve-facility.ts'
import { prepaidSince } from './store/extra-payment.ts'
import type { FacilityWithDues } from './store/facility-with-dues.ts'

export interface ExtraPaymentAsked {
  facilityId: string
  extraPaymentId?: string | null
  /** Absent only where everything is paid off. */
  amount?: AmountSent | null
  currency?: string | null
  paymentDate?: LocalDate | null
  strategy?: ExtraPaymentStrategy | null
  sourceArrangementId?: string | null
  reference?: string | null
  note?: string | null
}

const mostDaysAhead = 366

export type Terms = Omit<ExtraPaymentTerms, 'strategy'> & { strategy: ExtraPaymentStrategy | null }

/**
 * Works an extra payment out: the one function that previews it and decides it.
 * Refuses with FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, VALIDATION_FAILED, CURRENCY_MISMATCH,
 * INVALID_PAYMENT_DATE, ARRANGEMENT_NOT_FOUND, and as `strategyOf` and `planExtraPayment`.
 */
export async function previewExtraPayment(context: Context, asked: ExtraPaymentAsked) {
  const found = await requireFacilityWithDues(context, asked.facilityId)
  const { facility } = found
  requireRepayable(facility)
  const terms = await readTerms(context, facility, asked)
  return { facility, terms, plan: await planOf(context, found, terms) }
}

async function readTerms(
  context: Context,
  facility: Facility,
  { amount, currency, strategy = null, paymentDate, sourceArrangementId }: ExtraPaymentAsked,
): Promise<Terms> {
  if (!amount && strategy !== 'payoff') {
    throw invalid(fault('/amount', 'REQUIRED', 'An amount, or the strategy payoff.'))
  }
  return {
    amountMinor: amount ? readAmount(facility, amount, currency) : null,
    strategy,
    today: dateOf(context.now()),
    on: paymentDayOf(context, facility, paymentDate),
    accountId: await readSource(context, facility, sourceArrangementId),
  }
}

function paymentDayOf(
  context: Context,
  { openedOn }: Facility,
  asked: LocalDate | null | undefined,
): LocalDate {
  const today = dateOf(context.now())
  if (!asked) return today
  const window = earliestDay(today)
  const earliest = context.caller.partyId !== null || openedOn > today ? today : window
  const first = openedOn > earliest ? openedOn : earliest
  const last = addDays(today, mostDaysAhead)
  if (asked >= first && asked <= last) return asked
  const code = 'INVALID_PAYMENT_DATE'
  const detail = `From ${first} to ${last}.`
  throw new Problem(code, { detail, errors: [{ pointer: '/paymentDate', code, detail }] })
}

/** The first day that the books take a payment for. */
export function earliestDay(today: LocalDate): LocalDate {
  return addDays(today, -valueDateWindowDays)
}

/** An extra payment as it comes to now. Refuses as `strategyOf` and `planExtraPayment`. */
export async function planOf(
  context: Context,
  found: FacilityWithDues,
  terms: Terms,
): Promise<ExtraPaymentPlan> {
  const { facility } = found
  const policy = await readPolicy(context, facility)
  const yearBefore = toDate(addMonths(terms.on, -12))
  const prepaidMinor = await prepaidSince(context, facility.facilityId, yearBefore)
  const today = servicedToday(context, found)
  const strategy = strategyOf(facility, terms.strategy, policy)
  return planExtraPayment(today, { ...terms, strategy }, policy, prepaidMinor)
}
