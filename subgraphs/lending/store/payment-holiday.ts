import type { Prisma } from '../../../prisma/client/client.ts'
import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { ownersOf } from '../domain/facility.ts'
import type { PaymentHoliday } from '../domain/payment-holiday.ts'
import type { PaymentHolidayEvent } from '../relief-events.ts'

/** A payment holiday whose parts are written down. */
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
  holiday: encodeAnswer(holiday.holiday),
  affected: encodeAnswer(holiday.affected),
  effect: holiday.effect && encodeAnswer(holiday.effect),
})

const holidayFrom = (stored: Stored): PaymentHoliday => ({
  ...stored,
  holiday: decodeAnswer(stored.holiday) as PaymentHoliday['holiday'],
  affected: decodeAnswer(stored.affected) as PaymentHoliday['affected'],
  effect: stored.effect ? (decodeAnswer(stored.effect) as PaymentHoliday['effect']) : null,
})

export const paymentHolidayKind: Kind<PaymentHoliday, PaymentHolidayEvent> = {
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
    fromInstalment: holiday.fromInstalment,
    instalments: holiday.instalments,
    type: holiday.type,
    interestTreatment: holiday.interest,
    termTreatment: holiday.term,
    scheduleVersion: record.scheduleVersion,
    reasonCode: record.reasonCode,
  }),
  isPublished: false,
}

/** Payment holidays by id, each only if it is the caller's to see. */
export const loadPaymentHoliday = loader<string, PaymentHoliday>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? holidayFrom(stored) : null,
  )
})

/** The payment holidays of a facility in the order they were asked for. */
export async function listPaymentHolidays(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<PaymentHoliday[]> {
  return (await table.list(context, { facilityId }, after, take)).map(holidayFrom)
}

/** All of them: what an allowance is counted on. */
export async function findHolidaysOf(
  context: Context,
  facilityId: string,
): Promise<PaymentHoliday[]> {
  return (await table.findMany(context, { where: { facilityId } })).map(holidayFrom)
}

/** Holidays whose first day has come, or whose last one has passed. */
export async function findTurningHolidays(
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
