import type { ExtraPaymentState } from '../../model/repayments/enumerations.ts'
import type { ExtraPaymentStrategy } from '../../model/schedules/enumerations.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { formatAmount, minorDigits, parseAmount } from '../../../../kernel/domain/money.ts'
import { assertTransition, type Transitions } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { credit, debit } from '../facilities/accounts.ts'
import type { Allocation } from './allocation.ts'
import { unpaidMinor, partOf } from './due-installment.ts'
import { isAmortizing, requireServiced, type Facility } from '../facilities/facility.ts'
import type { ExtraPayment } from '../schedules/loan.ts'
import { smallest } from '../schedules/rational.ts'
import { ofPercent, roundHalfEven } from '../../../../kernel/domain/rational.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'
import { payoffFigure } from './payoff-figure.ts'
import { repay } from './repayment.ts'
import type { ScheduleChange } from '../facilities/schedule-change.ts'
import { payDues } from './pay-dues.ts'
import { book, advanceTo, type ServicedFacility } from '../servicing/servicing.ts'
import type { AmendmentEffect } from '../schedules/version.ts'
import { inputProblem, requirePositive } from '../schedules/refusals.ts'

export const extraPaymentTransitions: Transitions<ExtraPaymentState> = {
  requested: ['applied', 'rejected', 'cancelled'],
  applied: ['reversed'],
  rejected: [],
  cancelled: [],
  reversed: [],
}

/** The figures of an extra payment: its allocation, its fee and its effect on the schedule. */
export interface ExtraPaymentFigures {
  amountMinor: bigint
  strategy: ExtraPaymentStrategy
  /** The parts of the payment that cover installments already due. */
  allocations: readonly Allocation[]
  /** The part of the payment that pays interest accrued to date. */
  extraInterestMinor: bigint
  extraPrincipalMinor: bigint
  /** The prepayment fee, which is charged in addition to the amount. */
  feeMinor: bigint
  /** The extra payment in the schedule; null if the payment covers only amounts that are due. */
  extraPayment: ExtraPayment | null
  effect: AmendmentEffect | null
}

/**
 * An extra payment, from the request to the booking. Until it is applied, its figures are those
 * computed for the request.
 */
export interface ExtraPaymentRequest extends Versioned, ExtraPaymentFigures {
  extraPaymentId: string
  facilityId: string
  partyId: string
  state: ExtraPaymentState
  /** Whether the payment pays everything that is owed on the payment date. */
  isPayoff: boolean
  currency: string
  paymentDate: LocalDate
  /** The account to debit; null if the money comes from outside the bank. */
  sourceArrangementId: string | null
  reference: string | null
  note: string | null
  scheduleVersion: number | null
  postingInstructionId: string | null
  feePostingInstructionId: string | null
  reasonCode: string | null
}

export interface ExtraPaymentTerms {
  /** The amount of the payment; null for a payoff of everything that is owed. */
  amountMinor: bigint | null
  on: LocalDate
  today: LocalDate
  /** The ledger account to debit. */
  accountId: string
  strategy: ExtraPaymentStrategy
}

export interface ExtraPaymentPlan {
  figures: ExtraPaymentFigures
  serviced: ServicedFacility
  change: ScheduleChange | null
  /** The index of the payment in the bookings of `serviced`. */
  bookingIndex: number
  /** The index of the fee in the bookings of `serviced`; null if there is no fee. */
  feeBookingIndex: number | null
}

/** Changes the state of an extra payment. Throws INVALID_STATE_TRANSITION. */
export function transitionExtraPayment(
  payment: ExtraPaymentRequest,
  state: ExtraPaymentState,
): ExtraPaymentRequest {
  assertTransition(extraPaymentTransitions, payment.state, state, payment.extraPaymentId)
  return { ...payment, state }
}

/**
 * Returns the requested strategy, or the default: for a loan, that of the product or `reduce-term`;
 * for a revolving limit, `prepay-next`. Throws STRATEGY_NOT_SUPPORTED for strategies that a
 * revolving limit does not support.
 */
export function strategyOf(
  facility: Facility,
  requested: ExtraPaymentStrategy | null,
  policy: ProductPolicy,
): ExtraPaymentStrategy {
  if (isAmortizing(facility)) return requested ?? policy.extraPaymentStrategy ?? 'reduce-term'
  if (requested === null || requested === 'payoff' || requested === 'prepay-next')
    return requested ?? 'prepay-next'
  const detail = 'A revolving limit supports the strategies PREPAY_NEXT and PAYOFF.'
  throw inputProblem('STRATEGY_NOT_SUPPORTED', '/strategy', detail)
}

/**
 * Plans an extra payment on a facility that was brought to today. For a later payment date, all
 * installments due until then are assumed to be paid. `prepaidMinor` is the principal prepaid in
 * the previous twelve months. Throws FACILITY_NOT_ACTIVE, INVALID_AMOUNT,
 * BELOW_MINIMUM_EXTRA_PAYMENT, EXCEEDS_PAYOFF_AMOUNT with the payoff amount, and whatever
 * `amendFacility` throws.
 */
export function planExtraPayment(
  facilityToday: ServicedFacility,
  terms: ExtraPaymentTerms,
  policy: ProductPolicy,
  prepaidMinor: bigint,
): ExtraPaymentPlan {
  requireServiced(facilityToday.facility)
  const isLater = terms.on > terms.today
  const before = isLater ? asIfPaid(facilityToday, terms.on) : facilityToday
  const { facility } = before
  const { totalMinor } = payoffFigure(before, terms.on)
  const amountMinor = terms.amountMinor ?? totalMinor
  requireAmount(facility, terms, amountMinor, totalMinor, policy)
  const strategy = scheduleStrategyOf(facility, terms.strategy)
  const { serviced, change, extraPayment } = repay(before, amountMinor, terms, strategy)
  const payment = serviced.payments.at(-1)!
  const feeMinor = feeOf(
    facility,
    payment.extraPrincipalMinor,
    terms.on,
    policy,
    prepaidMinor,
    change,
  )
  const charged = feeMinor > 0n ? chargeFee(serviced, feeMinor, terms) : serviced
  return {
    figures: {
      amountMinor,
      strategy: terms.strategy,
      allocations: payment.allocations,
      extraInterestMinor: payment.extraInterestMinor,
      extraPrincipalMinor: payment.extraPrincipalMinor,
      feeMinor,
      extraPayment,
      effect: change?.effect ?? null,
    },
    serviced: charged,
    change,
    bookingIndex: payment.bookingIndex,
    feeBookingIndex: feeMinor > 0n ? charged.bookings.length - 1 : null,
  }
}

function asIfPaid(facilityToday: ServicedFacility, on: LocalDate): ServicedFacility {
  const advanced = advanceTo(facilityToday, on)
  const owedMinor = advanced.dues.reduce((sum, due) => sum + unpaidMinor(due), 0n)
  return payDues(advanced, owedMinor, on).serviced
}

/**
 * Returns the strategy for the schedule, which does not use `payoff`: a payment of everything owed
 * ends a loan with any strategy, and a revolving limit continues.
 */
function scheduleStrategyOf(facility: Facility, strategy: ExtraPaymentStrategy) {
  if (strategy !== 'payoff') return strategy
  return isAmortizing(facility) ? 'reduce-term' : 'prepay-next'
}

function requireAmount(
  { currency, facilityId }: Facility,
  { strategy, on }: ExtraPaymentTerms,
  amountMinor: bigint,
  payoffMinor: bigint,
  policy: ProductPolicy,
): void {
  requirePositive(amountMinor)
  const payoffAmount = formatAmount(payoffMinor, currency)
  const detail = `The payoff amount on ${on} is ${payoffAmount} ${currency}.`
  if (amountMinor > payoffMinor) {
    throw inputProblem('EXCEEDS_PAYOFF_AMOUNT', '/amount', detail, {
      resourceId: facilityId,
      payoffAmount: { amount: payoffAmount, currency },
    })
  }
  if (amountMinor === payoffMinor) return
  if (strategy === 'payoff') throw inputProblem('INVALID_AMOUNT', '/amount', detail)
  const minimumMinor = minimumOf(policy, currency)
  if (amountMinor >= minimumMinor) return
  const tooLow = `The amount must be at least ${formatAmount(minimumMinor, currency)} ${currency}.`
  throw inputProblem('BELOW_MINIMUM_EXTRA_PAYMENT', '/amount', tooLow)
}

/**
 * Returns the product's minimum extra payment in minor units. Decimals that the currency does not
 * have are cut off.
 */
function minimumOf({ extraPaymentMinimum }: ProductPolicy, currency: string): bigint {
  const [integerPart, decimals = ''] = extraPaymentMinimum.split('.')
  const fraction = decimals.slice(0, minorDigits(currency))
  return parseAmount(fraction ? `${integerPart}.${fraction}` : integerPart!, currency)
}

/**
 * Computes the prepayment fee: a percentage of the principal that exceeds the free part within
 * twelve months. The fee is at most the interest saved. For consumer loans it is also at most 1 %
 * of the chargeable principal, or 0.5 % if the loan matures within a year (Directive (EU)
 * 2023/2225, article 29).
 */
function feeOf(
  facility: Facility,
  principalMinor: bigint,
  on: LocalDate,
  policy: ProductPolicy,
  prepaidMinor: bigint,
  change: ScheduleChange | null,
): bigint {
  const { kind, disbursedMinor, maturityDate } = facility
  const savedInterest = -(change?.effect?.additionalInterestMinor ?? 0n)
  if (!isAmortizing(facility) || savedInterest <= 0n) return 0n
  const freeMinor = percentOf(disbursedMinor, policy.prepaymentFreePct)
  const freeLeftMinor = freeMinor > prepaidMinor ? freeMinor - prepaidMinor : 0n
  const chargeableMinor = principalMinor > freeLeftMinor ? principalMinor - freeLeftMinor : 0n
  const productFee = smallest(percentOf(chargeableMinor, policy.prepaymentFeePct), savedInterest)
  if (kind !== 'consumer-loan') return productFee
  const isOverOneYear = maturityDate! > toDate(addMonths(on, 12))
  return smallest(productFee, percentOf(chargeableMinor, isOverOneYear ? '1' : '0.5'))
}

function percentOf(amountMinor: bigint, percent: string): bigint {
  const { num, den } = ofPercent(percent)
  return roundHalfEven(amountMinor * num, den)
}

function chargeFee(
  serviced: ServicedFacility,
  feeMinor: bigint,
  { on, accountId }: ExtraPaymentTerms,
) {
  const { currency } = serviced.facility
  const income = internalAccountId('fee-income', currency)
  const legs = [debit(accountId, feeMinor, currency), credit(income, feeMinor, currency)]
  return book(serviced, { on, text: 'Prepayment fee', legs })
}

/**
 * Returns the late charges, interest and principal that an extra payment covers, and the part of
 * their sum that was already due. Amounts are in minor units.
 */
export function paidParts({ allocations, ...figures }: ExtraPaymentFigures) {
  const dueInterest = partOf(allocations, 'interest')
  const duePrincipal = partOf(allocations, 'principal')
  return {
    lateChargesMinor: partOf(allocations, 'fees') + partOf(allocations, 'penalties'),
    overdueMinor: allocations.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    interestMinor: dueInterest + figures.extraInterestMinor,
    principalMinor: duePrincipal + figures.extraPrincipalMinor,
  }
}
