import { isIban } from '../../../kernel/domain/iban.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { hasAtMost } from '../../../kernel/domain/text-length.ts'
import type {
  AddTrustedPayeeInput,
  TrustedPayee,
  TrustedPayeeStatus,
} from '../model/trusted-payee.ts'
import { ibanFrom, invalid, problemAt, requireOneCreditor, type AccountFact } from './order.ts'

const transitions: Transitions<TrustedPayeeStatus> = { active: ['removed'], removed: [] }

/**
 * Returns the account of a payee to trust. `found` is the account at this bank, or null. Throws
 * VALIDATION_FAILED, INVALID_IBAN, ARRANGEMENT_NOT_FOUND.
 */
export function accountOfPayee(
  input: AddTrustedPayeeInput,
  found: AccountFact | null,
): Pick<TrustedPayee, 'creditorIban' | 'creditorArrangementId' | 'payee'> {
  requireOneCreditor(input)
  if (!hasAtMost(70, input.name)) throw invalid('/name', 'The name has more than 70 characters.')
  const creditorIban = input.creditorIban ? ibanFrom(input.creditorIban) : null
  if (creditorIban && !isIban(creditorIban)) throw problemAt('INVALID_IBAN', '/creditorIban')
  if (!found && !creditorIban) {
    const id = input.creditorArrangementId!
    throw missingReference('ARRANGEMENT_NOT_FOUND', id, '/creditorArrangementId')
  }
  const creditorArrangementId = found?.arrangementId ?? null
  return { creditorIban, creditorArrangementId, payee: creditorArrangementId ?? creditorIban! }
}

/** Returns a payee that is no longer trusted. Throws INVALID_STATE_TRANSITION. */
export function removed(payee: TrustedPayee, now: Date): TrustedPayee {
  assertTransition(transitions, payee.status, 'removed', payee.trustedPayeeId)
  return { ...payee, status: 'removed', removedAt: now }
}
