import { accountsHeld, idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Payment } from '../domain/payment.ts'
import { paymentTable } from './payment.ts'

export interface PaymentFilter {
  arrangementId: string | null
  standingOrderId: string | null
  state: Payment['state'] | null
  amount: Money | null
}

/** Returns the payments that are visible to the caller, in the order in which they were created. */
export async function listPayments(
  context: Context,
  { arrangementId, standingOrderId, state, amount }: PaymentFilter,
  after: string[] | null,
  take: number,
): Promise<Payment[]> {
  const { partyId } = context.caller
  const isOfAll = partyId === null && arrangementId === null && standingOrderId === null
  if (isOfAll && amount === null && state !== null && state !== 'settled') {
    return listInState(context, state, after, take)
  }
  const accountConditions = [
    { debtorArrangementId: arrangementId },
    { creditorArrangementId: arrangementId },
  ]
  const grantedIds = await idsGranted(context, 'arrangement')
  const callerConditions = [
    { partyId },
    { creditorPartyId: partyId, state: 'settled' },
    { debtorArrangementId: { in: grantedIds } },
    { creditorArrangementId: { in: await accountsHeld(context) }, state: 'settled' },
  ]
  const conditions = [
    ...(arrangementId === null ? [] : [{ OR: accountConditions }]),
    ...(partyId === null ? [] : [{ OR: callerConditions }]),
    ...(standingOrderId === null ? [] : [{ standingOrderId }]),
    ...(state === null ? [] : [{ state }]),
    ...(amount === null ? [] : [amount]),
  ]
  // Two conditions have an `OR`. In one object, the second would overwrite the first.
  return paymentTable.list(context, { AND: conditions }, after, take)
}

// The second condition is a constant, so that also a plan for any state can use the index of the
// payments that are not settled.
const inStateSql = `
  select payment_id as id from payments.payment
  where state = $1 and state <> 'settled'
    and (created_at, payment_id) > ($2::timestamptz, $3::text)
  order by created_at, payment_id limit $4`

/** Returns the payments in a state other than `settled`, in the order in which they were created. */
async function listInState(
  context: Context,
  state: Payment['state'],
  after: string[] | null,
  take: number,
): Promise<Payment[]> {
  const values = [state, ...(after ?? ['-infinity', '']), take]
  const found = await readRows<{ id: string }>(context.bank, inStateSql, values)
  return paymentTable.findMany(context, {
    where: { paymentId: { in: found.map(({ id }) => id) } },
    orderBy: [{ createdAt: 'asc' }, { paymentId: 'asc' }],
  })
}
