import type { ExtraPaymentStrategy } from '../../model/schedules/enumerations.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { valueDateWindowDays } from '../../../../ledger/domain/posting.ts'
import { addMonths, toDate } from '../../../../kernel/domain/day-count.ts'
import {
  planExtraPayment,
  strategyOf,
  type ExtraPaymentPlan,
  type ExtraPaymentTerms,
} from '../../domain/repayments/extra-payment-request.ts'
import { requireServiced, type Facility } from '../../domain/facilities/facility.ts'
import { validationError, validationFailed, inputProblem } from '../../domain/schedules/refusals.ts'
import { readAmount, readSource, requireSourceSignature } from '../facilities/customer-account.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { servicedToday } from '../servicing/service-facility.ts'
import { readPrincipalPrepaidAfter } from '../../store/repayments/extra-payment.ts'
import type { FacilityWithDues } from '../../store/repayments/facility-with-dues.ts'

export interface ExtraPaymentOrder {
  facilityId: string
  extraPaymentId?: string | null
  /** The amount; can be omitted only with the strategy `payoff`. */
  amount?: AmountSent | null
  currency?: string | null
  paymentDate?: LocalDate | null
  strategy?: ExtraPaymentStrategy | null
  sourceArrangementId?: string | null
  reference?: string | null
  note?: string | null
}

const maxDaysAhead = 366

export type Terms = Omit<ExtraPaymentTerms, 'strategy'> & { strategy: ExtraPaymentStrategy | null }

/**
 * Plans an extra payment, for the preview and for the commit. Throws FACILITY_NOT_FOUND,
 * FACILITY_NOT_ACTIVE, VALIDATION_FAILED, CURRENCY_MISMATCH, INVALID_PAYMENT_DATE,
 * ARRANGEMENT_NOT_FOUND, SIGNATURES_REQUIRED, and whatever `strategyOf` and `planExtraPayment` throw.
 */
export async function previewExtraPayment(context: Context, request: ExtraPaymentOrder) {
  const found = await requireFacilityWithDues(context, request.facilityId)
  const { facility } = found
  requireServiced(facility)
  const terms = await readTerms(context, facility, request)
  const plan = await planOf(context, found, terms)
  const { amountMinor, feeMinor } = plan.figures
  // The fee leaves the account as well.
  await requireSourceSignature(context, request.sourceArrangementId, amountMinor + feeMinor)
  return { facility, terms, plan }
}

async function readTerms(
  context: Context,
  facility: Facility,
  { amount, currency, strategy = null, paymentDate, sourceArrangementId }: ExtraPaymentOrder,
): Promise<Terms> {
  if (!amount && strategy !== 'payoff') {
    throw validationFailed(
      validationError('/amount', 'REQUIRED', 'Send an amount, or the strategy PAYOFF.'),
    )
  }
  const amountMinor = amount ? readAmount(facility, amount, currency) : null
  return {
    amountMinor,
    strategy,
    today: dateOf(context.now()),
    on: paymentDayOf(context, facility, paymentDate),
    accountId: await readSource(context, facility, sourceArrangementId),
  }
}

function paymentDayOf(
  context: Context,
  { openedOn }: Facility,
  requestedDate: LocalDate | null | undefined,
): LocalDate {
  const today = dateOf(context.now())
  if (!requestedDate) return today
  const ledgerStart = earliestDay(today)
  const earliest = context.caller.partyId !== null || openedOn > today ? today : ledgerStart
  const first = openedOn > earliest ? openedOn : earliest
  const last = addDays(today, maxDaysAhead)
  if (requestedDate >= first && requestedDate <= last) return requestedDate
  const detail = `The payment date is ${requestedDate}; it must be from ${first} to ${last}.`
  throw inputProblem('INVALID_PAYMENT_DATE', '/paymentDate', detail)
}

/** Returns the earliest value date that the ledger accepts. */
export function earliestDay(today: LocalDate): LocalDate {
  return addDays(today, -valueDateWindowDays)
}

/**
 * Plans an extra payment on the current state of a facility. Throws whatever `strategyOf` and
 * `planExtraPayment` throw.
 */
export async function planOf(
  context: Context,
  found: FacilityWithDues,
  terms: Terms,
): Promise<ExtraPaymentPlan> {
  const { facility } = found
  const policy = await readPolicy(context, facility)
  const yearBefore = toDate(addMonths(terms.on, -12))
  const prepaidMinor = await readPrincipalPrepaidAfter(context, facility.facilityId, yearBefore)
  const facilityToday = servicedToday(context, found)
  const strategy = strategyOf(facility, terms.strategy, policy)
  return planExtraPayment(facilityToday, { ...terms, strategy }, policy, prepaidMinor)
}
