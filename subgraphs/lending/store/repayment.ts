import type { Prisma } from '../../../prisma/client/client.ts'
import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { columnsOf, tableOf } from '../../_kernel/table.ts'
import { insert, type Write } from '../../_kernel/writes.ts'
import { partOf } from '../domain/due-instalment.ts'
import { ownersOf } from '../domain/facility.ts'
import type { Repayment } from '../domain/repayment.ts'
import type { RepaymentEvent } from '../events.ts'

/** A repayment whose parts are written down. */
type Stored = Omit<Repayment, 'allocations' | 'extraPayment'> & {
  allocations: string
  extraPayment: string | null
}

const table = tableOf<Stored, Prisma.RepaymentGetPayload<object>>(
  'lending.repayment',
  'repaymentId',
  ({ db }) => db.repayment,
  (row) => ({
    ...row,
    state: row.state as Repayment['state'],
    paymentDate: dateOf(row.paymentDate),
  }),
)

const storedOf = (repayment: Repayment): Stored => ({
  ...repayment,
  allocations: encodeAnswer(repayment.allocations),
  extraPayment: repayment.extraPayment && encodeAnswer(repayment.extraPayment),
})
const repaymentFrom = (stored: Stored): Repayment => ({
  ...stored,
  allocations: decodeAnswer(stored.allocations) as Repayment['allocations'],
  extraPayment:
    stored.extraPayment === null
      ? null
      : (decodeAnswer(stored.extraPayment) as Repayment['extraPayment']),
})

export const repaymentKind: Kind<Repayment, RepaymentEvent> = {
  entity: 'repayment',
  id: 'repayment',
  notFound: 'REPAYMENT_NOT_FOUND',
  created: 'lending.repayment.applied',
  idOf: ({ repaymentId }) => repaymentId,
  ownersOf,
  async find(context, id) {
    const stored = await table.find(context, id)
    return stored && repaymentFrom(stored)
  },
  insert: (repayment) => table.insert(storedOf(repayment)),
  update: (before, after) => table.update(storedOf(before), storedOf(after)),
  snapshot: (repayment) => ({
    repaymentId: repayment.repaymentId,
    facilityId: repayment.facilityId,
    state: repayment.state,
    isCollected: repayment.isCollected,
    amountMinor: repayment.amountMinor,
    currency: repayment.currency,
    paymentDate: repayment.paymentDate,
    interestMinor: partOf(repayment.allocations, 'interest') + repayment.extraInterestMinor,
    principalMinor: partOf(repayment.allocations, 'principal') + repayment.extraPrincipalMinor,
  }),
  isPublished: false,
}

/** Writes down what the end of a day collected. */
export function insertRepayments(repayments: readonly Repayment[]): Write[] {
  if (repayments.length === 0) return []
  return [insert('lending.repayment', ...repayments.map((each) => columnsOf(storedOf(each))))]
}

/** Repayments by id, each only if it is the caller's to see. */
export const loadRepayment = loader<string, Repayment>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((stored) =>
    stored && maySee(context.caller, ownersOf(stored)) ? repaymentFrom(stored) : null,
  )
})

/** The repayments of a facility in the order they were recorded. */
export async function listRepayments(
  context: Context,
  facilityId: string,
  after: string[] | null,
  take: number,
): Promise<Repayment[]> {
  return (await table.list(context, { facilityId }, after, take)).map(repaymentFrom)
}
