import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { changeRecord, createRecord, publish, versioned, type Decided } from '../_kernel/records.ts'
import { narrated } from './change-facility.ts'
import {
  moveExtraPayment,
  type ExtraPaymentPlan,
  type ExtraPaymentRequest,
} from './domain/extra-payment-request.ts'
import type { Facility } from './domain/facility.ts'
import { takeBackRepayment } from './domain/repayment.ts'
import {
  earliestDay,
  planOf,
  previewExtraPayment,
  type ExtraPaymentAsked,
  type Terms,
} from './extra-payment-asked.ts'
import { readSource } from './repayments.ts'
import { commitServiced, servicedToday } from './serve-facility.ts'
import { extraPaymentKind } from './store/extra-payment.ts'
import { holdFacility } from './store/facility.ts'
import { findFacilityWithDues, type FacilityWithDues } from './store/facility-with-dues.ts'

/**
 * Asks for an extra payment. From an account of the bank it is booked at once, or on its day; money
 * from elsewhere is booked when the bank has it. The same id with the same content answers the
 * payment that is there.
 * Refuses with RESOURCE_EXISTS, INSUFFICIENT_FUNDS, and as `previewExtraPayment`.
 */
export function createExtraPayment(
  context: Context,
  asked: ExtraPaymentAsked,
): Promise<ExtraPaymentRequest> {
  const operation = 'createExtraPayment'
  const { extraPaymentId } = asked
  return createRecord(context, extraPaymentKind, operation, asked, extraPaymentId, async (made) => {
    const { facility, terms, plan } = await previewExtraPayment(context, asked)
    const { facilityId, partyId, currency } = facility
    const request: ExtraPaymentRequest = {
      ...versioned(made),
      extraPaymentId: made.id,
      facilityId,
      partyId,
      state: 'requested',
      ...plan.figures,
      isPayoff: plan.figures.strategy === 'payoff',
      currency,
      paymentDate: terms.on,
      sourceArrangementId: asked.sourceArrangementId ?? null,
      reference: asked.reference ?? null,
      note: asked.note ?? null,
      scheduleVersion: null,
      postingInstructionId: null,
      feePostingInstructionId: null,
      reasonCode: null,
    }
    const isNow = request.sourceArrangementId !== null && terms.on <= terms.today
    // Money moves by it later: its key is kept, too.
    if (!isNow) return { record: request, isKeyKept: true }
    const applied = await book(context, facility, request, plan)
    const told = publish(extraPaymentKind, applied.record, 'lending.extra-payment.applied')
    return { ...applied, events: [...told.events, ...applied.events!] }
  })
}

/** Books a payment as it was worked out. */
async function book(
  context: Context,
  facility: Facility,
  request: ExtraPaymentRequest,
  { figures, serviced, change, booking, feeBooking }: ExtraPaymentPlan,
): Promise<Decided<ExtraPaymentRequest>> {
  const applied = moveExtraPayment(request, 'applied')
  const changed = await commitServiced(context, facility, serviced, { schedule: change })
  const { postingInstructionIds: ids, facility: after } = changed
  const record: ExtraPaymentRequest = {
    ...applied,
    ...figures,
    scheduleVersion: change ? after.scheduleVersion : null,
    postingInstructionId: ids[booking]!,
    feePostingInstructionId: feeBooking === null ? null : ids[feeBooking]!,
  }
  const { writes, events, facts } = changed
  return { record, writes, events, facts, isKeyKept: true }
}

/**
 * Books a requested payment: the bank has the money, on the account that was named or on its way in.
 * Figures are worked out again, as of its day, or of today when that has not come.
 * Refuses with EXTRA_PAYMENT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS,
 * INSUFFICIENT_FUNDS, and as `planExtraPayment`.
 */
export function applyExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  requireBank(context)
  const operation = 'applyExtraPayment'
  return changePayment(context, operation, extraPaymentId, 'applied', async (payment) =>
    applied(context, payment, (await findFacilityWithDues(context, payment.facilityId))!),
  )
}

type Fact = 'applied' | 'rejected' | 'cancelled' | 'reversed'

function changePayment(
  context: Context,
  operation: string,
  extraPaymentId: string,
  fact: Fact,
  decide: (
    before: ExtraPaymentRequest,
  ) => Decided<ExtraPaymentRequest> | Promise<Decided<ExtraPaymentRequest>>,
): Promise<ExtraPaymentRequest> {
  const input = { extraPaymentId }
  const event = `lending.extra-payment.${fact}` as const
  return changeRecord(context, extraPaymentKind, operation, input, extraPaymentId, event, decide)
}

async function applied(
  context: Context,
  payment: ExtraPaymentRequest,
  found: FacilityWithDues,
): Promise<Decided<ExtraPaymentRequest>> {
  moveExtraPayment(payment, 'applied')
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
 * Books a payment whose day has come; one that is not possible any more is rejected, with the code of
 * why. Answers null when somebody else did something to it first.
 */
export function executeExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest | null> {
  const operation = 'executeExtraPayment'
  return command<ExtraPaymentRequest | null>(context, operation, { extraPaymentId }, async () => {
    const payment = (await extraPaymentKind.find(context, extraPaymentId))!
    if (payment.state !== 'requested') return { result: null }
    const { decided, fact } = await appliedOrRejected(context, payment)
    const now = context.now()
    const after = { ...decided.record, version: payment.version + 1, updatedAt: now }
    const told = publish(extraPaymentKind, after, `lending.extra-payment.${fact}`)
    return {
      ...decided,
      result: after,
      writes: [extraPaymentKind.update(payment, after), ...(decided.writes ?? [])],
      events: [...told.events, ...(decided.events ?? [])],
    }
  })
}

async function appliedOrRejected(context: Context, payment: ExtraPaymentRequest) {
  const found = (await findFacilityWithDues(context, payment.facilityId))!
  try {
    return { decided: await applied(context, payment, found), fact: 'applied' as const }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const record = { ...moveExtraPayment(payment, 'rejected'), reasonCode: error.code }
    // A rejection is final: it stands only while the facility is as it was when it was decided.
    const decided: Decided<ExtraPaymentRequest> = { record, writes: [holdFacility(found.facility)] }
    return { decided, fact: 'rejected' as const }
  }
}

/** Gives a requested payment up. Refuses with EXTRA_PAYMENT_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function cancelExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  return changePayment(context, 'cancelExtraPayment', extraPaymentId, 'cancelled', (payment) => ({
    record: moveExtraPayment(payment, 'cancelled'),
  }))
}

/**
 * Takes a payment back that was booked, with its fee: what it paid is owed again, on the schedule as
 * if it had not been.
 * Refuses with EXTRA_PAYMENT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and as
 * `takeBackRepayment`.
 */
export function reverseExtraPayment(
  context: Context,
  extraPaymentId: string,
): Promise<ExtraPaymentRequest> {
  requireBank(context)
  const operation = 'reverseExtraPayment'
  return changePayment(context, operation, extraPaymentId, 'reversed', async (payment) => {
    const record = moveExtraPayment(payment, 'reversed')
    const found = (await findFacilityWithDues(context, payment.facilityId))!
    const { facility } = found
    const today = dateOf(context.now())
    const before = servicedToday(context, found)
    const { serviced, change } = takeBackRepayment(before, payment, today)
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
        return narrated(instruction, `Extra payment ${extraPaymentId} taken back`)
      })
    const changed = await commitServiced(context, facility, serviced, {
      schedule: change,
      postings,
    })
    const { writes, events, facts } = changed
    return { record, writes, events, facts, isKeyKept: true }
  })
}
