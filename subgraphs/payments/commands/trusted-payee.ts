import { requireRecentPasskey } from '../../../kernel/authorization/step-up.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { accountOfPayee, removed } from '../domain/trusted-payee.ts'
import type { AccountFact } from '../domain/order.ts'
import { Problem } from '../domain/problems.ts'
import type { AddTrustedPayeeInput, TrustedPayee } from '../model/trusted-payee.ts'
import { trustedPayeeKind } from '../store/strong-authentication.ts'
import { accountNumberSubject } from './transfer.ts'

/**
 * Adds a payee to the trusted payees of the caller's party (RTS, article 13 (1)). A repeated request
 * with the same ID and content returns the existing record. Throws
 * - NOT_FOR_THE_BANK if the caller does not act for a party,
 * - INSUFFICIENT_USER_AUTHENTICATION if the customer did not log in with a passkey recently,
 * - RESOURCE_EXISTS, and whatever `accountOfPayee` throws.
 */
export function addTrustedPayee(
  context: Context,
  input: AddTrustedPayeeInput,
): Promise<TrustedPayee> {
  const { trustedPayeeId, name, creditorArrangementId, creditorIban } = input
  return createRecord(
    context,
    trustedPayeeKind,
    'addTrustedPayee',
    input,
    trustedPayeeId,
    async (stamp) => {
      const partyId = requireAuthenticatedCustomer(context)
      const [byId, byIban] = (await readFacts(context, [
        `arrangement/${creditorArrangementId}`,
        accountNumberSubject(creditorIban ?? ''),
      ])) as (AccountFact | null)[]
      const account = accountOfPayee(input, (creditorIban ? byIban : byId) ?? null)
      const identity = { trustedPayeeId: stamp.id, partyId, ...versioned(stamp) }
      return { record: { ...identity, ...account, name, status: 'active', removedAt: null } }
    },
  )
}

/**
 * Removes a trusted payee. Payments to it need an approval again. Throws TRUSTED_PAYEE_NOT_FOUND,
 * INVALID_STATE_TRANSITION, and, for a customer, INSUFFICIENT_USER_AUTHENTICATION.
 */
export function removeTrustedPayee(
  context: Context,
  trustedPayeeId: string,
): Promise<TrustedPayee> {
  return changeRecord(
    context,
    trustedPayeeKind,
    'removeTrustedPayee',
    { trustedPayeeId },
    trustedPayeeId,
    'payments.trusted-payee.removed',
    (before, now) => {
      if (context.caller.partyId !== null) requireAuthenticatedCustomer(context)
      return { record: removed(before, now) }
    },
  )
}

/**
 * Returns the party of the customer who acts and has logged in with a passkey during the last five
 * minutes. It does not matter whether strong authentication applies to the customer already: a list
 * that was made without it would stay valid when it does.
 */
function requireAuthenticatedCustomer({ caller }: Context): string {
  const { partyId } = caller
  if (partyId === null) throw new Problem('NOT_FOR_THE_BANK')
  requireRecentPasskey(caller, realNow().getTime())
  return partyId
}
