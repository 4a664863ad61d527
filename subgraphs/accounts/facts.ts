import { approvedOverdraft } from './domain/overdraft.ts'
import type { Arrangement } from './model/arrangement.ts'
import { dateOf } from '../../kernel/domain/dates.ts'
import type { PublishedFact } from '../../kernel/writing/facts.ts'
import type { DepositOpening } from './model/deposit-opening.ts'
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

/**
 * Returns the published facts of a term deposit that was opened with its account, from which the
 * interest area creates the deposit: what was agreed, and the state that the fact of the deposit has
 * until then. A savings account has none.
 */
export function agreedDepositFacts(opening: DepositOpening): PublishedFact[] {
  const { termDepositId, arrangementId, fundingArrangementId, months } = opening
  if (termDepositId === null) return []
  const accounts = { termDepositId, arrangementId, settlementArrangementId: fundingArrangementId }
  const agreed = {
    ...accounts,
    partyId: opening.partyId,
    currency: opening.currency,
    principalMinor: opening.amountMinor.toString(),
    months,
    annualRatePct: opening.annualRatePct,
    earlyWithdrawal: opening.earlyWithdrawal,
    maturityInstruction: opening.maturityInstruction,
    startsOn: dateOf(opening.createdAt),
    openedBy: opening.openedBy,
  }
  return [
    { subject: `agreed-term-deposit/${arrangementId}`, data: agreed },
    {
      subject: `term-deposit/${arrangementId}`,
      data: { ...accounts, state: 'active', lifecycle: 'open' },
    },
  ]
}
