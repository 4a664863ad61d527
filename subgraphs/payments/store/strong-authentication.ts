import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import type { LowValueCounter } from '../domain/strong-authentication.ts'
import type { TrustedPayeeEvent } from '../events.ts'
import { trustedPayeeEvents } from '../events.ts'
import type { TrustedPayee, TrustedPayeeStatus } from '../model/trusted-payee.ts'

export const trustedPayees = tableOf<TrustedPayee>(
  'payments.trusted_payee',
  'trustedPayeeId',
  ({ db }) => db.trustedPayee,
)

export const trustedPayeeKind: RecordKind<TrustedPayee, TrustedPayeeEvent> = {
  ...trustedPayees,
  ...trustedPayeeEvents,
  id: 'trustedPayee',
  notFound: 'TRUSTED_PAYEE_NOT_FOUND',
  created: 'payments.trusted-payee.added',
  ownersOf: ({ partyId }) => [partyId],
  isPublished: false,
}

/** Loads trusted payees by ID; null for those that are not visible to the caller. */
export const loadTrustedPayee = loader<string, TrustedPayee>(async (context, ids) => {
  const found = await trustedPayees.loadMany(context, ids)
  return found.map((payee) => (payee && maySee(context.caller, [payee.partyId]) ? payee : null))
})

/** Lists the trusted payees that are visible to the caller. */
export function listTrustedPayees(
  context: Context,
  { status }: { status: TrustedPayeeStatus | null },
  after: string[] | null,
  take: number,
): Promise<TrustedPayee[]> {
  const { partyId } = context.caller
  return trustedPayees.list(context, { partyId, status }, after, take)
}

/** Whether a party trusts a payee now. */
export async function isTrustedPayee(
  { db }: Context,
  partyId: string,
  payee: string,
): Promise<boolean> {
  const found = await db.trustedPayee.findFirst({ where: { partyId, payee, status: 'active' } })
  return found !== null
}

/** The counter of a party as it was read; its version is 0 if it is not stored yet. */
export interface StoredCounter extends LowValueCounter {
  version: number
}

export async function readCounter({ db }: Context, partyId: string): Promise<StoredCounter> {
  const found = await db.lowValueCounter.findUnique({ where: { partyId } })
  return found ?? { amountMinor: 0n, count: 0, version: 0 }
}

/** Returns the write that replaces a counter. If it was changed since, the command runs again. */
export function counterWrite(
  partyId: string,
  before: StoredCounter,
  { amountMinor, count }: LowValueCounter,
): Write {
  const values = { amount_minor: amountMinor, count }
  const key = { party_id: partyId }
  return before.version === 0
    ? insert('payments.low_value_counter', { ...key, ...values, version: 1 })
    : update('payments.low_value_counter', key, before.version, values)
}
