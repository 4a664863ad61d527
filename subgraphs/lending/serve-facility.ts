import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { publish, versioned } from '../_kernel/records.ts'
import type { Posting } from '../_ledger/journal.ts'
import { changeFacility, narrated, type Changed } from './change-facility.ts'
import { postingOf } from './domain/accounts.ts'
import type { Facility } from './domain/facility.ts'
import type { Repayment } from './domain/repayment.ts'
import type { ScheduleChange } from './domain/schedule-change.ts'
import { bringTo, startServicing, type PaymentMade, type Serviced } from './domain/servicing.ts'
import type { FacilityEvent } from './events.ts'
import { putInstalments } from './store/due-instalment.ts'
import type { FacilityWithDues } from './store/facility-with-dues.ts'
import { insertRepayments, repaymentKind } from './store/repayment.ts'

/** A facility with all its installments, brought to today: what money is paid on. */
export function servicedToday(context: Context, { facility, dues }: FacilityWithDues): Serviced {
  return bringTo(startServicing(facility, dues), dateOf(context.now()))
}

/**
 * Commits a facility that was serviced: its figures, its instalments, the money, what was paid, and
 * its next schedule when it got one.
 * Refuses with the code of what the books do not allow.
 */
export async function commitServiced(
  context: Context,
  before: Facility,
  serviced: Serviced,
  more: { schedule?: ScheduleChange | null; postings?: readonly Posting[] } = {},
): Promise<Changed> {
  const { schedule = null, postings = [] } = more
  const changed = await changeFacility(context, {
    before,
    after: serviced.facility,
    schedule,
    tell: toldFacts(serviced),
    postings: [...postingsOf(serviced, context.now()), ...postings],
  })
  const { duesBefore, dues } = serviced
  return { ...changed, writes: [...changed.writes, ...putInstalments(duesBefore, dues)] }
}

/** The events of what happened to a facility on the way. */
export function toldFacts({ tell }: Serviced): FacilityEvent[] {
  return tell.map((fact): FacilityEvent => `lending.facility.${fact}`)
}

/** The postings of a servicing, in its order. */
export function postingsOf({ facility, bookings }: Serviced, now: Date): Posting[] {
  return bookings.map(({ on, text, legs }) =>
    narrated(postingOf(on, now, facility.facilityId, legs), text),
  )
}

/** A payment as it is written down when the bank collected it. */
export function repaymentOf(
  context: Context,
  { facilityId, partyId, currency }: Facility,
  made: PaymentMade,
  postingInstructionId: string,
): Repayment {
  const repaymentId = context.newId('repayment')
  return {
    ...versioned({ id: repaymentId, contentHash: '', now: context.now() }),
    repaymentId,
    facilityId,
    partyId,
    state: 'applied',
    isCollected: true,
    amountMinor: made.amountMinor,
    currency,
    paymentDate: made.on,
    sourceArrangementId: made.accountId,
    reference: null,
    allocations: made.allocations,
    extraInterestMinor: made.extraInterestMinor,
    extraPrincipalMinor: made.extraPrincipalMinor,
    extraPayment: null,
    postingInstructionId,
  }
}

/** What repayments add to a commit. */
export function repaid(repayments: readonly Repayment[]) {
  return {
    writes: insertRepayments(repayments),
    events: repayments.flatMap(
      (each) => publish(repaymentKind, each, 'lending.repayment.applied').events,
    ),
  }
}
