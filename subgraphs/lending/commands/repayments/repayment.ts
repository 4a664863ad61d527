import { requireBank } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { addDays, dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { changeRecord, createRecord } from '../../../../kernel/writing/records.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { valueDateWindowDays } from '../../../../ledger/domain/posting.ts'
import { withNarrative } from '../facilities/change-facility.ts'
import {
  readAmount,
  readPayer,
  readSource,
  requireSourceSignature,
} from '../facilities/customer-account.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { readersOf, requireServiced, type Facility } from '../../domain/facilities/facility.ts'
import { transitionRepayment, repay, type Repayment } from '../../domain/repayments/repayment.ts'
import { reverseRepaymentEffect } from '../../domain/repayments/reverse-repayment.ts'
import { inputProblem, requirePositive } from '../../domain/schedules/refusals.ts'
import {
  changeServicedFacility,
  repaymentOf,
  servicedToday,
} from '../servicing/service-facility.ts'
import { repaymentKind } from '../../store/repayments/repayment.ts'

export interface RepaymentRequest {
  repaymentId?: string | null
  facilityId: string
  amount: AmountSent
  currency?: string | null
  paymentDate?: LocalDate | null
  /** The account to debit; null if the money came from outside the bank. */
  sourceArrangementId?: string | null
  reference?: string | null
}

/**
 * Records a repayment. It covers the amounts due, oldest first. The rest prepays the next
 * installments of a loan, or repays principal of a revolving limit, which can be drawn again. A
 * repeated request with the same ID and content returns the existing repayment. Throws
 * FACILITY_NOT_FOUND, FACILITY_NOT_ACTIVE, INVALID_AMOUNT, INVALID_PAYMENT_DATE,
 * ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH, SIGNATURES_REQUIRED, EXCEEDS_PAYOFF_AMOUNT,
 * RESOURCE_EXISTS, INSUFFICIENT_FUNDS, PARTY_DECEASED for a caller who pays for another party and is
 * deceased, and NOT_FOR_DELEGATED_USERS for money from outside the bank.
 */
export function recordRepayment(context: Context, request: RepaymentRequest): Promise<Repayment> {
  if (!request.sourceArrangementId) requireBank(context)
  const { repaymentId, facilityId } = request
  const operation = 'recordRepayment'
  return createRecord(context, repaymentKind, operation, request, repaymentId, async (stamp) => {
    const found = await requireFacilityWithDues(context, facilityId, readersOf)
    const { facility } = found
    requireServiced(facility)
    const amountMinor = readAmount(facility, request.amount, request.currency)
    requirePositive(amountMinor)
    const today = dateOf(context.now())
    const on = readPaymentDate(context, facility, request.paymentDate)
    const { sourceArrangementId } = request
    const accountId = await readSource(context, facility, sourceArrangementId)
    await requireSourceSignature(context, sourceArrangementId, amountMinor)
    const before = servicedToday(context, found)
    const { serviced, change, extraPayment } = repay(before, amountMinor, { on, today, accountId })
    const changed = await changeServicedFacility(context, facility, serviced, { schedule: change })
    const { writes, events, facts, postingInstructionIds } = changed
    const payment = serviced.payments[0]!
    const record: Repayment = {
      ...repaymentOf(stamp, facility, payment, postingInstructionIds[payment.bookingIndex]!),
      isCollected: false,
      sourceArrangementId: request.sourceArrangementId ?? null,
      payerPartyId: await readPayer(context, facility, request.sourceArrangementId),
      reference: request.reference ?? null,
      extraPayment,
    }
    return { record, writes, events, facts, retainsKey: true }
  })
}

function readPaymentDate(
  context: Context,
  { openedOn }: Facility,
  requestedDate: LocalDate | null | undefined,
): LocalDate {
  const today = dateOf(context.now())
  if (!requestedDate) return today
  const ledgerStart = addDays(today, -valueDateWindowDays)
  const earliestForBank = openedOn > ledgerStart ? openedOn : ledgerStart
  const earliest = context.caller.partyId === null ? earliestForBank : today
  if (requestedDate >= earliest && requestedDate <= today) return requestedDate
  throw inputProblem(
    'INVALID_PAYMENT_DATE',
    '/paymentDate',
    `The payment date is ${requestedDate}; it must be from ${earliest} to ${today}.`,
  )
}

/**
 * Reverses a repayment, such as one that bounced. The amounts it covered are owed again and are
 * past due according to their original due dates. Throws REPAYMENT_NOT_FOUND,
 * INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and whatever `reverseRepaymentEffect` throws.
 */
export function reverseRepayment(context: Context, repaymentId: string): Promise<Repayment> {
  requireBank(context)
  const operation = 'reverseRepayment'
  const event = 'lending.repayment.reversed'
  return changeRecord(
    context,
    repaymentKind,
    operation,
    { repaymentId },
    repaymentId,
    event,
    async (repayment, now) => {
      const record = transitionRepayment(repayment, 'reversed')
      const found = await requireFacilityWithDues(context, repayment.facilityId)
      const { facility } = found
      const before = servicedToday(context, found)
      const { serviced, change } = reverseRepaymentEffect(before, repayment, dateOf(now))
      const reversal = {
        type: 'reversal' as const,
        reversesId: repayment.postingInstructionId,
        valueDate: dateOf(now),
        isAdvice: false,
        clientTransactionId: facility.facilityId,
      }
      const text = `Reversal of repayment ${repaymentId}`
      const { writes, events, facts } = await changeServicedFacility(context, facility, serviced, {
        schedule: change,
        postings: [withNarrative(facility.facilityId, reversal, text)],
      })
      return { record, writes, events, facts, retainsKey: true }
    },
  )
}
