import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../../domain/problems.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
  type Decided,
} from '../../../../kernel/writing/records.ts'
import { withNarrative } from '../facilities/change-facility.ts'
import {
  transitionExtraPayment,
  type ExtraPaymentPlan,
  type ExtraPaymentRequest,
} from '../../domain/repayments/extra-payment-request.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { reverseRepaymentEffect } from '../../domain/repayments/reverse-repayment.ts'
import {
  earliestDay,
  planOf,
  previewExtraPayment,
  type ExtraPaymentOrder,
  type Terms,
} from './extra-payment-order.ts'
import { readSource } from '../facilities/customer-account.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'
import { extraPaymentKind } from '../../store/repayments/extra-payment.ts'
import { requireUnchangedFacility } from '../../store/facilities/facility.ts'
import {
  findFacilityWithDues,
  type FacilityWithDues,
} from '../../store/repayments/facility-with-dues.ts'

/**
 * Creates an extra payment. A payment from an account of this bank is booked at once, or on its
 * payment date if that is later. Money from outside is booked when the bank applies the payment. A
 * repeated request with the same ID and content returns the existing payment. Throws
 * RESOURCE_EXISTS, INSUFFICIENT_FUNDS, and whatever `previewExtraPayment` throws.
 */
export function createExtraPayment(
  context: Context,
  input: ExtraPaymentOrder,
): Promise<ExtraPaymentRequest> {
  const operation = 'createExtraPayment'
  const { extraPaymentId } = input
  return createRecord(
    context,
    extraPaymentKind,
    operation,
    input,
    extraPaymentId,
    async (stamp) => {
      const { facility, terms, plan } = await previewExtraPayment(context, input)
      const { facilityId, partyId, currency } = facility
      const request: ExtraPaymentRequest = {
        ...versioned(stamp),
        extraPaymentId: stamp.id,
        facilityId,
        partyId,
        state: 'requested',
        ...plan.figures,
        isPayoff: plan.figures.strategy === 'payoff',
        currency,
        paymentDate: terms.on,
        sourceArrangementId: input.sourceArrangementId ?? null,
        reference: input.reference ?? null,
        note: input.note ?? null,
        scheduleVersion: null,
        postingInstructionId: null,
        feePostingInstructionId: null,
        reasonCode: null,
      }
      const isNow = request.sourceArrangementId !== null && terms.on <= terms.today
      // The payment moves money later, so its idempotency key is kept permanently.
      if (!isNow) return { record: request, retainsKey: true }
      const booked = await book(context, facility, request, plan)
      const published = publicationOf(
        extraPaymentKind,
        booked.record,
        'lending.extra-payment.applied',
      )
      return { ...booked, events: [...published.events, ...booked.events!] }
    },
  )
}

/** Books a planned payment. */
async function book(
  context: Context,
  facility: Facility,
  request: ExtraPaymentRequest,
  {
    figures,
    serviced,
    change,
    bookingIndex: booking,
    feeBookingIndex: feeBooking,
  }: ExtraPaymentPlan,
): Promise<Decided<ExtraPaymentRequest>> {
  const applied = transitionExtraPayment(request, 'applied')
  const changed = await changeServicedFacility(context, facility, serviced, { schedule: change })
  const { postingInstructionIds: ids, facility: after } = changed
  const record: ExtraPaymentRequest = {
    ...applied,
    ...figures,
    scheduleVersion: change ? after.scheduleVersion : null,
    postingInstructionId: ids[booking]!,
    feePostingInstructionId: feeBooking === null ? null : ids[feeBooking]!,
  }
  const { writes, events, facts } = changed
  return { record, writes, events, facts, retainsKey: true }
}

/**
 * Books a requested payment for which the bank has received the money, either on the source account
 * or in transit. Its figures are computed again. A payment date in the future becomes today, and
 * one that the ledger no longer accepts becomes the earliest accepted date. Throws
 * EXTRA_PAYMENT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, INSUFFICIENT_FUNDS,
 * and whatever `planExtraPayment` throws.
 */
export function applyExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  requireBank(context)
  const operation = 'applyExtraPayment'
  return changePayment(context, operation, extraPaymentId, 'applied', async (payment) =>
    bookRequested(context, payment, (await findFacilityWithDues(context, payment.facilityId))!),
  )
}

type EventName = 'applied' | 'rejected' | 'cancelled' | 'reversed'

function changePayment(
  context: Context,
  operation: string,
  extraPaymentId: string,
  eventName: EventName,
  decide: (
    before: ExtraPaymentRequest,
  ) => Decided<ExtraPaymentRequest> | Promise<Decided<ExtraPaymentRequest>>,
): Promise<ExtraPaymentRequest> {
  const input = { extraPaymentId }
  const event = `lending.extra-payment.${eventName}` as const
  return changeRecord(context, extraPaymentKind, operation, input, extraPaymentId, event, decide)
}

async function bookRequested(
  context: Context,
  payment: ExtraPaymentRequest,
  found: FacilityWithDues,
): Promise<Decided<ExtraPaymentRequest>> {
  transitionExtraPayment(payment, 'applied')
  const { facility } = found
  const { amountMinor, isPayoff, strategy, paymentDate, sourceArrangementId } = payment
  const today = dateOf(context.now())
  const day = paymentDate < today ? paymentDate : today
  const terms: Terms = {
    amountMinor: isPayoff ? null : amountMinor,
    strategy,
    today,
    on: day > earliestDay(today) ? day : earliestDay(today),
    accountId: await readSource(context, facility, sourceArrangementId),
  }
  const plan = await planOf(context, found, terms)
  return book(context, facility, { ...payment, paymentDate: terms.on }, plan)
}

/**
 * Books a payment on its payment date. If the payment can no longer be booked, it is rejected and
 * the problem code becomes its reason code. Returns null if the payment is no longer in the state
 * `requested`.
 */
export function executeExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest | null> {
  const operation = 'executeExtraPayment'
  return command<ExtraPaymentRequest | null>(context, operation, { extraPaymentId }, async () => {
    const payment = (await extraPaymentKind.find(context, extraPaymentId))!
    if (payment.state !== 'requested') return { result: null }
    const { decided, eventName } = await bookOrReject(context, payment)
    const now = context.now()
    const after = { ...decided.record, version: payment.version + 1, updatedAt: now }
    const published = publicationOf(extraPaymentKind, after, `lending.extra-payment.${eventName}`)
    return {
      ...decided,
      result: after,
      writes: [extraPaymentKind.update(payment, after), ...(decided.writes ?? [])],
      events: [...published.events, ...(decided.events ?? [])],
    }
  })
}

async function bookOrReject(context: Context, payment: ExtraPaymentRequest) {
  const found = (await findFacilityWithDues(context, payment.facilityId))!
  try {
    const decided = await bookRequested(context, payment, found)
    return { decided, eventName: 'applied' as const }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const record = { ...transitionExtraPayment(payment, 'rejected'), reasonCode: error.code }
    // A rejection is final, so the commit fails if the facility has changed since it was read.
    const decided: Decided<ExtraPaymentRequest> = {
      record,
      writes: [requireUnchangedFacility(found.facility)],
    }
    return { decided, eventName: 'rejected' as const }
  }
}

/** Cancels a requested payment. Throws EXTRA_PAYMENT_NOT_FOUND and INVALID_STATE_TRANSITION. */
export function cancelExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  return changePayment(context, 'cancelExtraPayment', extraPaymentId, 'cancelled', (payment) => ({
    record: transitionExtraPayment(payment, 'cancelled'),
  }))
}

/**
 * Reverses a booked payment and its fee, and restores the schedule. Throws EXTRA_PAYMENT_NOT_FOUND,
 * INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and whatever `reverseRepaymentEffect` throws.
 */
export function reverseExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  requireBank(context)
  const operation = 'reverseExtraPayment'
  return changePayment(context, operation, extraPaymentId, 'reversed', async (payment) => {
    const record = transitionExtraPayment(payment, 'reversed')
    const found = (await findFacilityWithDues(context, payment.facilityId))!
    const { facility } = found
    const today = dateOf(context.now())
    const before = servicedToday(context, found)
    const { serviced, change } = reverseRepaymentEffect(before, payment, today)
    const ids = [payment.postingInstructionId!, payment.feePostingInstructionId]
    const postings = ids
      .filter((id) => id !== null)
      .map((reversesId) => {
        const instruction = {
          type: 'reversal' as const,
          reversesId,
          valueDate: today,
          isAdvice: false,
          clientTransactionId: facility.facilityId,
        }
        const text = `Reversal of extra payment ${extraPaymentId}`
        return withNarrative(facility.facilityId, instruction, text)
      })
    const changed = await changeServicedFacility(context, facility, serviced, {
      schedule: change,
      postings,
    })
    const { writes, events, facts } = changed
    return { record, writes, events, facts, retainsKey: true }
  })
}
