import { requireBank } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { isTerminal } from '../../../../kernel/domain/states.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
  type Decided,
  type CreationStamp,
} from '../../../../kernel/writing/records.ts'
import {
  facilityTransitions,
  isServiced,
  requireServiced,
  type Facility,
} from '../../domain/facilities/facility.ts'
import {
  approveHoliday,
  endHolidayEarly,
  transitionHoliday,
  planHoliday,
  requireAllowed,
  withdrawHoliday,
  type HolidayTerms,
  type HolidayPlan,
  type PaymentHoliday,
} from '../../domain/relief/payment-holiday.ts'
import type { ScheduleChange } from '../../domain/facilities/schedule-change.ts'
import type { ServicedFacility } from '../../domain/servicing/servicing.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import type { PaymentHolidayEvent } from '../../relief-events.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'
import { facilityKind } from '../../store/facilities/facility.ts'
import { findFacilityWithDues } from '../../store/repayments/facility-with-dues.ts'
import { findHolidaysOf, paymentHolidayKind } from '../../store/relief/payment-holiday.ts'

export interface PaymentHolidayRequest extends HolidayTerms {
  facilityId: string
  paymentHolidayId?: string | null
  reason?: string | null
}

/**
 * Plans a payment holiday, for the preview and for the commit. Throws FACILITY_NOT_FOUND, and
 * whatever `planHoliday` and `requireAllowed` throw.
 */
export async function previewPaymentHoliday(context: Context, request: PaymentHolidayRequest) {
  const found = await requireFacilityWithDues(context, request.facilityId)
  const { facility } = found
  requireServiced(facility)
  const policy = await readPolicy(context, facility)
  const earlierHolidays = await findHolidaysOf(context, facility.facilityId)
  const serviced = servicedToday(context, found)
  const plan = planHoliday(serviced.facility, request, policy, earlierHolidays, false)
  requireAllowed(serviced.facility, plan, policy, earlierHolidays)
  return { facility, serviced, plan, policy }
}

/** Creates a payment holiday in the state `requested`. */
export function newHoliday(
  stamp: CreationStamp,
  { facilityId, partyId, currency }: Facility,
  { change, ...plan }: HolidayPlan,
  details: Pick<PaymentHoliday, 'reason' | 'hardshipRequestId'>,
): PaymentHoliday {
  return {
    ...versioned(stamp),
    paymentHolidayId: stamp.id,
    facilityId,
    partyId,
    currency,
    state: 'requested',
    ...plan,
    ...details,
    reasonCode: null,
    effect: change.effect,
    scheduleVersion: null,
  }
}

/**
 * Requests a payment holiday. Unless the product requires an approval, it is approved at once and
 * the schedule changes in the same commit. A repeated request with the same ID and content returns
 * the existing payment holiday. Throws RESOURCE_EXISTS, and whatever `previewPaymentHoliday`
 * throws.
 */
export function createPaymentHoliday(
  context: Context,
  request: PaymentHolidayRequest,
): Promise<PaymentHoliday> {
  const operation = 'createPaymentHoliday'
  const { paymentHolidayId: id } = request
  return createRecord(context, paymentHolidayKind, operation, request, id, async (stamp) => {
    const { facility, serviced, plan, policy } = await previewPaymentHoliday(context, request)
    const details = { reason: request.reason ?? null, hardshipRequestId: null }
    const requested = newHoliday(stamp, facility, plan, details)
    if (policy.isHolidayApprovalRequired) return { record: requested }
    const approvedHoliday = approveHoliday(requested, plan.change, stamp.now)
    const changed = await prepareCommit(context, facility, serviced, plan.change)
    return {
      record: approvedHoliday,
      ...changed,
      events: [...approvalEventsOf(approvedHoliday), ...changed.events],
    }
  })
}

/**
 * Returns the event of an approval and, if the payment holiday starts at once, the event of its
 * start.
 */
export function approvalEventsOf(approvedHoliday: PaymentHoliday) {
  const eventNames =
    approvedHoliday.state === 'active'
      ? (['approved', 'started'] as const)
      : (['approved'] as const)
  return eventNames.flatMap(
    (eventName) =>
      publicationOf(paymentHolidayKind, approvedHoliday, `lending.payment-holiday.${eventName}`)
        .events,
  )
}

/** Returns the writes, events and facts that commit a facility with its new schedule. */
async function prepareCommit(
  context: Context,
  before: Facility,
  serviced: ServicedFacility,
  change: ScheduleChange,
) {
  const after = { ...serviced, facility: change.facility }
  const changed = await changeServicedFacility(context, before, after, { schedule: change })
  const { writes, events, facts } = changed
  return { writes, events, facts }
}

type EventName = PaymentHolidayEvent extends `lending.payment-holiday.${infer Name}` ? Name : never

function changeHoliday(
  context: Context,
  operation: string,
  input: { paymentHolidayId: string },
  eventName: EventName,
  decide: (
    before: PaymentHoliday,
    now: Date,
  ) => Decided<PaymentHoliday> | Promise<Decided<PaymentHoliday>>,
): Promise<PaymentHoliday> {
  const event = `lending.payment-holiday.${eventName}` as const
  const { paymentHolidayId: id } = input
  return changeRecord(context, paymentHolidayKind, operation, input, id, event, decide)
}

async function readForChange(context: Context, { facilityId }: PaymentHoliday) {
  const found = (await findFacilityWithDues(context, facilityId))!
  return { facility: found.facility, serviced: servicedToday(context, found) }
}

/**
 * Approves a requested payment holiday, even if it exceeds the product's allowance. Throws
 * PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS, and whatever
 * `planHoliday` throws.
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
      transitionHoliday(before, 'approved')
      const { facility, serviced } = await readForChange(context, before)
      const all = await findHolidaysOf(context, before.facilityId)
      const others = all.filter((each) => each.paymentHolidayId !== paymentHolidayId)
      const { startDate, endDate, holiday } = before
      const { type, interest: interestTreatment, term: termTreatment } = holiday
      const request = { startDate, endDate, type, interestTreatment, termTreatment }
      const policy = await readPolicy(context, facility)
      const { change, ...plan } = planHoliday(serviced.facility, request, policy, others, false)
      const record = approveHoliday({ ...before, ...plan }, change, now)
      const changed = await prepareCommit(context, facility, serviced, change)
      const updated = { ...record, version: before.version + 1 }
      const startEvents = record.state === 'active' ? approvalEventsOf(updated).slice(1) : []
      return { record, ...changed, events: [...startEvents, ...changed.events] }
    },
  )
}

/**
 * Declines a requested payment holiday. Throws PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION
 * and NOT_FOR_DELEGATED_USERS.
 */
export function declinePaymentHoliday(
  context: Context,
  input: { paymentHolidayId: string; reasonCode: string | null },
): Promise<PaymentHoliday> {
  requireBank(context)
  return changeHoliday(context, 'declinePaymentHoliday', input, 'declined', (before) => ({
    record: { ...transitionHoliday(before, 'declined'), reasonCode: input.reasonCode },
  }))
}

/**
 * Cancels a payment holiday before it starts and restores the schedule. Throws
 * PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, and whatever `withdrawHoliday` throws.
 */
export function cancelPaymentHoliday(
  context: Context,
  paymentHolidayId: string,
): Promise<PaymentHoliday> {
  const operation = 'cancelPaymentHoliday'
  return changeHoliday(context, operation, { paymentHolidayId }, 'cancelled', async (before) => {
    const record = transitionHoliday(before, 'cancelled')
    if (before.state === 'requested') return { record }
    const { facility, serviced } = await readForChange(context, before)
    // The schedule of a loan that has ended or was charged off does not change.
    if (!isServiced(facility)) return { record }
    const change = withdrawHoliday(serviced.facility, before)
    return { record, ...(await prepareCommit(context, facility, serviced, change)) }
  })
}

/**
 * Ends an active payment holiday. Installments are payable again from the next one on. Throws
 * PAYMENT_HOLIDAY_NOT_FOUND, INVALID_STATE_TRANSITION, and whatever `endHolidayEarly` throws.
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
      const record = { ...transitionHoliday(before, 'ended-early'), endDate: dateOf(now) }
      const { facility, serviced } = await readForChange(context, before)
      if (!isServiced(facility)) return { record }
      const ended = endHolidayEarly(serviced.facility, before, dateOf(now))
      if (!ended.change) return { record: ended.holiday }
      const changed = await prepareCommit(context, facility, serviced, ended.change)
      return { record: ended.holiday, ...changed }
    },
  )
}

/**
 * Starts an approved payment holiday, or cancels it if the loan has ended. Completes an active
 * payment holiday. If the state has changed since the payment holiday was read, nothing changes.
 */
export async function advancePaymentHoliday(
  context: Context,
  { paymentHolidayId, state, facilityId }: PaymentHoliday,
): Promise<PaymentHoliday> {
  const facility = (await facilityKind.find(context, facilityId))!
  const isOver = isTerminal(facilityTransitions, facility.state)
  const { to, eventName } =
    transitionsByTarget[state === 'active' ? 'completed' : isOver ? 'cancelled' : 'active']
  return changeHoliday(
    context,
    'turnPaymentHoliday',
    { paymentHolidayId },
    eventName,
    (before) => ({
      record: before.state === state ? transitionHoliday(before, to) : before,
    }),
  )
}

const transitionsByTarget = {
  active: { to: 'active', eventName: 'started' },
  completed: { to: 'completed', eventName: 'completed' },
  cancelled: { to: 'cancelled', eventName: 'cancelled' },
} as const
