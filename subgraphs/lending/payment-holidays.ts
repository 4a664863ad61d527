import { requireBank } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import {
  changeRecord,
  createRecord,
  publish,
  versioned,
  type Decided,
  type Made,
} from '../_kernel/records.ts'
import { facilityMoves, type Facility } from './domain/facility.ts'
import {
  approved,
  endHolidayEarly,
  moveHoliday,
  planHoliday,
  requireAllowed,
  takeBackHoliday,
  type HolidayAsked,
  type HolidayPlan,
  type PaymentHoliday,
} from './domain/payment-holiday.ts'
import type { ScheduleChange } from './domain/schedule-change.ts'
import type { Serviced } from './domain/servicing.ts'
import { readPolicy } from './read-policy.ts'
import type { PaymentHolidayEvent } from './relief-events.ts'
import { requireFacilityWithDues } from './repayments.ts'
import { requireRepayable } from './domain/repayment.ts'
import { commitServiced, servicedToday } from './serve-facility.ts'
import { facilityKind } from './store/facility.ts'
import { findFacilityWithDues } from './store/facility-with-dues.ts'
import { findHolidaysOf, paymentHolidayKind } from './store/payment-holiday.ts'

export interface PaymentHolidayAsked extends HolidayAsked {
  facilityId: string
  paymentHolidayId?: string | null
  reason?: string | null
}

/**
 * Works a payment holiday out: the one function that previews it and decides it.
 * Refuses with FACILITY_NOT_FOUND, and as `planHoliday` and `requireAllowed`.
 */
export async function previewPaymentHoliday(context: Context, asked: PaymentHolidayAsked) {
  const found = await requireFacilityWithDues(context, asked.facilityId)
  const { facility } = found
  requireRepayable(facility)
  const policy = await readPolicy(context, facility)
  const earlier = await findHolidaysOf(context, facility.facilityId)
  const serviced = servicedToday(context, found)
  const plan = planHoliday(serviced.facility, asked, policy, earlier, false)
  requireAllowed(serviced.facility, plan, policy, earlier)
  return { facility, serviced, plan, policy }
}

/** A holiday as it is asked for, before anybody decided on it. */
export function newHoliday(
  made: Made,
  { facilityId, partyId, currency }: Facility,
  { change, ...plan }: HolidayPlan,
  more: Pick<PaymentHoliday, 'reason' | 'hardshipRequestId'>,
): PaymentHoliday {
  return {
    ...versioned(made),
    paymentHolidayId: made.id,
    facilityId,
    partyId,
    currency,
    state: 'requested',
    ...plan,
    ...more,
    reasonCode: null,
    effect: change.effect,
    scheduleVersion: null,
  }
}

/**
 * Asks for a payment holiday. It is given at once unless the product wants somebody to approve it; its
 * instalments change in the same commit. The same id with the same content answers the one that is there.
 * Refuses with RESOURCE_EXISTS, and as `previewPaymentHoliday`.
 */
export function createPaymentHoliday(
  context: Context,
  asked: PaymentHolidayAsked,
): Promise<PaymentHoliday> {
  const operation = 'createPaymentHoliday'
  const { paymentHolidayId: id } = asked
  return createRecord(context, paymentHolidayKind, operation, asked, id, async (made) => {
    const { facility, serviced, plan, policy } = await previewPaymentHoliday(context, asked)
    const more = { reason: asked.reason ?? null, hardshipRequestId: null }
    const requested = newHoliday(made, facility, plan, more)
    if (policy.isHolidayApprovalRequired) return { record: requested }
    const given = approved(requested, plan.change, made.now)
    const changed = await commit(context, facility, serviced, plan.change)
    return { record: given, ...changed, events: [...toldOf(given), ...changed.events] }
  })
}

/** What is told when a holiday was approved, and when it runs at once. */
export function toldOf(given: PaymentHoliday) {
  const facts =
    given.state === 'active' ? (['approved', 'started'] as const) : (['approved'] as const)
  return facts.flatMap(
    (fact) => publish(paymentHolidayKind, given, `lending.payment-holiday.${fact}`).events,
  )
}

/** The facility on another schedule. */
async function commit(
  context: Context,
  before: Facility,
  serviced: Serviced,
  change: ScheduleChange,
) {
  const after = { ...serviced, facility: change.facility }
  const changed = await commitServiced(context, before, after, { schedule: change })
  const { writes, events, facts } = changed
  return { writes, events, facts }
}

type Fact = PaymentHolidayEvent extends `lending.payment-holiday.${infer Name}` ? Name : never

function changeHoliday(
  context: Context,
  operation: string,
  input: { paymentHolidayId: string },
  fact: Fact,
  decide: (
    before: PaymentHoliday,
    now: Date,
  ) => Decided<PaymentHoliday> | Promise<Decided<PaymentHoliday>>,
): Promise<PaymentHoliday> {
  const event = `lending.payment-holiday.${fact}` as const
  const { paymentHolidayId: id } = input
  return changeRecord(context, paymentHolidayKind, operation, input, id, event, decide)
}

async function readBoth(context: Context, { facilityId }: PaymentHoliday) {
  const found = (await findFacilityWithDues(context, facilityId))!
  return { facility: found.facility, serviced: servicedToday(context, found) }
}

/** A loan that is over, or was charged off, stays as it is: only what is known of the holiday moves. */
function keepsSchedule({ state }: Facility): boolean {
  return state !== 'active' && state !== 'in-arrears'
}

/**
 * Approves a requested holiday: the bank may give more than the product allows by itself.
 * Refuses with PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and as
 * `planHoliday`.
 */
export function approvePaymentHoliday(
  context: Context,
  paymentHolidayId: string,
): Promise<PaymentHoliday> {
  requireBank(context)
  const operation = 'approvePaymentHoliday'
  return changeHoliday(
    context,
    operation,
    { paymentHolidayId },
    'approved',
    async (before, now) => {
      moveHoliday(before, 'approved')
      const { facility, serviced } = await readBoth(context, before)
      const all = await findHolidaysOf(context, before.facilityId)
      const earlier = all.filter((each) => each.paymentHolidayId !== paymentHolidayId)
      const { startDate, endDate, holiday } = before
      const { type, interest: interestTreatment, term: termTreatment } = holiday
      const asked = { startDate, endDate, type, interestTreatment, termTreatment }
      const policy = await readPolicy(context, facility)
      const { change, ...plan } = planHoliday(serviced.facility, asked, policy, earlier, false)
      const record = approved({ ...before, ...plan }, change, now)
      const changed = await commit(context, facility, serviced, change)
      const started = { ...record, version: before.version + 1 }
      const told = record.state === 'active' ? toldOf(started).slice(1) : []
      return { record, ...changed, events: [...told, ...changed.events] }
    },
  )
}

/** Does not give a requested holiday. Refuses with PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS. */
export function declinePaymentHoliday(
  context: Context,
  input: { paymentHolidayId: string; reasonCode: string | null },
): Promise<PaymentHoliday> {
  requireBank(context)
  return changeHoliday(context, 'declinePaymentHoliday', input, 'declined', (before) => ({
    record: { ...moveHoliday(before, 'declined'), reasonCode: input.reasonCode },
  }))
}

/**
 * Gives a holiday up before it begins: the schedule is as if it had not been.
 * Refuses with PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, and as `takeBackHoliday`.
 */
export function cancelPaymentHoliday(
  context: Context,
  paymentHolidayId: string,
): Promise<PaymentHoliday> {
  const operation = 'cancelPaymentHoliday'
  return changeHoliday(context, operation, { paymentHolidayId }, 'cancelled', async (before) => {
    const record = moveHoliday(before, 'cancelled')
    if (before.state === 'requested') return { record }
    const { facility, serviced } = await readBoth(context, before)
    if (keepsSchedule(facility)) return { record }
    const change = takeBackHoliday(serviced.facility, before)
    return { record, ...(await commit(context, facility, serviced, change)) }
  })
}

/**
 * Ends a running holiday: instalments are paid again from the next one on.
 * Refuses with PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, and as `endHolidayEarly`.
 */
export function endPaymentHoliday(
  context: Context,
  paymentHolidayId: string,
): Promise<PaymentHoliday> {
  const operation = 'endPaymentHoliday'
  return changeHoliday(
    context,
    operation,
    { paymentHolidayId },
    'ended-early',
    async (before, now) => {
      const record = { ...moveHoliday(before, 'ended-early'), endDate: dateOf(now) }
      const { facility, serviced } = await readBoth(context, before)
      if (keepsSchedule(facility)) return { record }
      const ended = endHolidayEarly(serviced.facility, before, dateOf(now))
      if (!ended.change) return { record: ended.holiday }
      return { record: ended.holiday, ...(await commit(context, facility, serviced, ended.change)) }
    },
  )
}

/**
 * Starts or completes a holiday whose day has come; of a loan that is over it is given up or completed.
 * One that was moved meanwhile stays as it is.
 */
export async function turnPaymentHoliday(
  context: Context,
  { paymentHolidayId, state, facilityId }: PaymentHoliday,
): Promise<PaymentHoliday> {
  const facility = (await facilityKind.find(context, facilityId))!
  const isOver = facilityMoves[facility.state].length === 0
  const { to, fact } = turns[state === 'active' ? 'completed' : isOver ? 'cancelled' : 'active']
  return changeHoliday(context, 'turnPaymentHoliday', { paymentHolidayId }, fact, (before) => ({
    record: before.state === state ? moveHoliday(before, to) : before,
  }))
}

const turns = {
  active: { to: 'active', fact: 'started' },
  completed: { to: 'completed', fact: 'completed' },
  cancelled: { to: 'cancelled', fact: 'cancelled' },
} as const
