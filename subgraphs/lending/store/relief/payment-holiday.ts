import type { Prisma } from '../../../../prisma/client/client.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import { maySee } from '../../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import { ownersOf } from '../../domain/facilities/facility.ts'
import type { PaymentHoliday } from '../../domain/relief/payment-holiday.ts'
import type { PaymentHolidayEvent } from '../../relief-events.ts'

/** A payment holiday with its JSON columns still encoded. */
type Stored = Omit<PaymentHoliday, 'holiday' | 'affected' | 'effect'> & {
  holiday: string
  affected: string
  effect: string | null
}

const table = tableOf<Stored, Prisma.PaymentHolidayGetPayload<object>>(
  'lending.payment_holiday',
  'paymentHolidayId',
  ({ db }) => db.paymentHoliday,
  (row) => ({
    ...row,
    state: row.state as PaymentHoliday['state'],
    startDate: dateOf(row.startDate),
    endDate: dateOf(row.endDate),
  }),
)

const storedOf = (holiday: PaymentHoliday): Stored => ({
  ...holiday,
  holiday: encodeResponse(holiday.holiday),
  affected: encodeResponse(holiday.affected),
  effect: holiday.effect && encodeResponse(holiday.effect),
})

const holidayFrom = (stored: Stored): PaymentHoliday => ({
  ...stored,
  holiday: decodeResponse(stored.holiday) as PaymentHoliday['holiday'],
  affected: decodeResponse(stored.affected) as PaymentHoliday['affected'],
  effect: stored.effect ? (decodeResponse(stored.effect) as PaymentHoliday['effect']) : null,
})

export const paymentHolidayKind: RecordKind<PaymentHoliday, PaymentHolidayEvent> = {
  entity: 'payment-holiday',
  id: 'paymentHoliday',
  notFound: 'PAYMENT_HOLIDAY_NOT_FOUND',
  created: 'lending.payment-holiday.requested',
  idOf: ({ paymentHolidayId }) => paymentHolidayId,
  ownersOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && holidayFrom(stored)
  },
  insert: (holiday) => table.insert(storedOf(holiday)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: ({ holiday, ...record }) => ({
    paymentHolidayId: record.paymentHolidayId,
    facilityId: record.facilityId,
    hardshipRequestId: record.hardshipRequestId,
    state: record.state,
    startDate: record.startDate,
    endDate: record.endDate,
    fromInstallment: holiday.fromInstallment,
    installments: holiday.installments,
    type: holiday.type,
    interestTreatment: holiday.interest,
    termTreatment: holiday.term,
    scheduleVersion: record.scheduleVersion,
    reasonCode: record.reasonCode,
  }),
  isPublished: false,
}

/**
 * Loads payment holidays by ID. The result is null for a payment holiday that does not exist or
 * that the caller may not see.
 */
export const loadPaymentHoliday = loader<string, PaymentHoliday>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? holidayFrom(stored) : null,
  )
})

/** Lists the payment holidays of a facility in the order in which they were requested. */
export async function listPaymentHolidays(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<PaymentHoliday[]> {
  return (
    await table.list(context, { partyId: context.caller.partyId, facilityId }, after, take)
  ).map(holidayFrom)
}

/** Finds all payment holidays of a facility. A new payment holiday is checked against them. */
export async function findHolidaysOf(
  context: Context,
  facilityId: string,
): Promise<PaymentHoliday[]> {
  return (await table.findMany(context, { where: { facilityId } })).map(holidayFrom)
}

/**
 * Finds approved payment holidays whose start date has been reached, and active ones whose end date
 * has passed.
 */
export async function findHolidaysToAdvance(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<PaymentHoliday[]> {
  const day = new Date(today)
  const found = await table.findMany(context, {
    where: {
      OR: [
        { state: 'approved', startDate: { lte: day } },
        { state: 'active', endDate: { lt: day } },
      ],
    },
    orderBy: [{ startDate: 'asc' }, { paymentHolidayId: 'asc' }],
    take,
  })
  return found.map(holidayFrom)
}
