import { approvedOverdraft } from './domain/overdraft.ts'
import type { Arrangement } from './model/arrangement.ts'
import type { Overdraft } from './model/overdraft.ts'
import type { SigningRule } from './model/signing-rule.ts'
import { signingRuleSubject } from '../../kernel/domain/signing.ts'

/**
 * Returns the published fact by which payments look up the account of an IBAN. The fact never
 * changes and is not emitted as an event.
 */
export function accountNumberFact({ accountNumber, ...arrangement }: Arrangement) {
  const { arrangementId, partyId, currency } = arrangement
  return { subject: `account-number/${accountNumber}`, data: { arrangementId, partyId, currency } }
}

/**
 * Returns the published fact of the approved overdrafts of an account, in the order of their approval.
 * The interest of the account is accrued by it.
 */
export function overdraftsFact(arrangementId: string, approved: readonly Overdraft[]) {
  const data = { arrangementId, overdrafts: approved.map(approvedOverdraft) }
  return { subject: `overdrafts/${arrangementId}`, data }
}

/** Returns the published fact of the signing rule of an account. Payments are signed by it. */
export function signingRuleFact(rule: SigningRule) {
  const { arrangementId, signingRuleId, requiredSignatures, signatoryPartyIds } = rule
  const fromMinor = rule.fromMinor?.toString() ?? null
  const data = { arrangementId, signingRuleId, requiredSignatures, fromMinor, signatoryPartyIds }
  return { subject: signingRuleSubject(arrangementId), data }
}
