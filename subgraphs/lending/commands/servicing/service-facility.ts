import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { publicationOf, versioned, type CreationStamp } from '../../../../kernel/writing/records.ts'
import { attributePosting, readAttributions } from '../../../../ledger/attribution.ts'
import type { Posting } from '../../../../ledger/journal.ts'
import {
  changeFacility,
  withNarrative,
  type FacilityChangeResult,
} from '../facilities/change-facility.ts'
import { loanAccountId, postingOf } from '../../domain/facilities/accounts.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import type { Repayment } from '../../domain/repayments/repayment.ts'
import type { ScheduleChange } from '../../domain/facilities/schedule-change.ts'
import {
  advanceTo,
  startServicing,
  type ReceivedPayment,
  type ServicedFacility,
} from '../../domain/servicing/servicing.ts'
import type { FacilityEvent } from '../../events.ts'
import { putInstallments } from '../../store/repayments/due-installment.ts'
import type { FacilityWithDues } from '../../store/repayments/facility-with-dues.ts'
import { insertRepayments, repaymentKind } from '../../store/repayments/repayment.ts'

/** Returns a facility with all its due installments, brought to today. */
export function servicedToday(
  context: Context,
  { facility, dues }: FacilityWithDues,
): ServicedFacility {
  return advanceTo(startServicing(facility, dues), dateOf(context.now()))
}

/**
 * Prepares the commit of a serviced facility: its amounts, installments, postings and events, and
 * its new schedule version if the schedule changed. Throws the code with which the ledger rejects a
 * posting.
 */
export async function changeServicedFacility(
  context: Context,
  before: Facility,
  serviced: ServicedFacility,
  additions: { schedule?: ScheduleChange | null; postings?: readonly Posting[] } = {},
): Promise<FacilityChangeResult> {
  const { schedule = null, postings = [] } = additions
  const changed = await changeFacility(context, {
    before,
    after: serviced.facility,
    schedule,
    emit: eventTypesOf(serviced),
    postings: [...(await attributedPostingsOf(context, serviced)), ...postings],
  })
  const { duesBefore, dues } = serviced
  return { ...changed, writes: [...changed.writes, ...putInstallments(duesBefore, dues)] }
}

/** Returns the event types that a serviced facility emits. */
export function eventTypesOf({ eventNames }: ServicedFacility): FacilityEvent[] {
  return eventNames.map((eventName): FacilityEvent => `lending.facility.${eventName}`)
}

/** Returns the postings of a serviced facility, in order. */
export function postingsOf({ facility, bookings }: ServicedFacility, now: Date): Posting[] {
  const { facilityId } = facility
  return bookings.map(({ on, text, legs }) =>
    withNarrative(facilityId, postingOf(on, now, facilityId, legs), text),
  )
}

/**
 * Returns the postings of a serviced facility. A prepayment fee and a recovery have no entry on the account
 * of the loan, but belong to its product and not to that of the account that pays.
 */
async function attributedPostingsOf(
  context: Context,
  serviced: ServicedFacility,
): Promise<Posting[]> {
  const postings = postingsOf(serviced, context.now())
  const loanId = loanAccountId(serviced.facility.facilityId)
  const isOnLoan = serviced.bookings.map(({ legs }) =>
    legs.some(({ accountId }) => accountId === loanId),
  )
  if (isOnLoan.every(Boolean)) return postings
  const attributionOf = await readAttributions(context.bank, [loanId])
  return postings.map((posting, index) =>
    isOnLoan[index] ? posting : attributePosting(posting, attributionOf(loanId)),
  )
}

/** Creates the repayment record of a payment, as one collected from the settlement account. */
export function repaymentOf(
  stamp: CreationStamp,
  { facilityId, partyId, currency }: Facility,
  payment: ReceivedPayment,
  postingInstructionId: string,
): Repayment {
  return {
    ...versioned(stamp),
    repaymentId: stamp.id,
    facilityId,
    partyId,
    state: 'applied',
    isCollected: true,
    amountMinor: payment.amountMinor,
    currency,
    paymentDate: payment.on,
    sourceArrangementId: payment.accountId,
    payerPartyId: null,
    reference: null,
    allocations: payment.allocations,
    extraInterestMinor: payment.extraInterestMinor,
    extraPrincipalMinor: payment.extraPrincipalMinor,
    extraPayment: null,
    postingInstructionId,
  }
}

/** Returns the writes that insert repayments, and their events. */
export function repaymentWritesAndEvents(repayments: readonly Repayment[]) {
  return {
    writes: insertRepayments(repayments),
    events: repayments.flatMap(
      (each) => publicationOf(repaymentKind, each, 'lending.repayment.applied').events,
    ),
  }
}
