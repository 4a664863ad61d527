import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { signaturesFor, type SigningRule } from '../../../kernel/domain/signing.ts'
import { Problem } from './problems.ts'
import type { Payment, Signing } from './payment.ts'

/** How long a payment waits for signatures. */
export const daysToSign = 14

/**
 * Returns the signatures that a new payment needs under a rule. The initiator's signature counts if
 * the initiator is a signatory. Returns null if that is enough.
 */
export function signingFor(
  rule: SigningRule,
  amountMinor: bigint,
  initiatorPartyId: string,
  now: Date,
): Signing | null {
  const { signatoryPartyIds } = rule
  const requiredSignatures = signaturesFor(rule, amountMinor)
  const signatures = signatoryPartyIds.includes(initiatorPartyId)
    ? [{ partyId: initiatorPartyId, signedAt: now.toISOString() }]
    : []
  if (signatures.length >= requiredSignatures) return null
  return { requiredSignatures, signatoryPartyIds, initiatorPartyId, signatures }
}

/** Returns a new payment that waits for signatures. */
export function pendingSignatures(payment: Payment, signing: Signing, now: Date): Payment {
  const signaturesExpireAt = addMs(now, daysToSign * dayMs)
  return { ...payment, state: 'pending-signatures', signing, signaturesExpireAt }
}

/** Returns the parties concerned by the signatures of a payment: payer, signatories and initiator. */
export function partiesOf({ partyId, signing }: Payment): string[] {
  if (!signing) return [partyId]
  return [...new Set([partyId, ...signing.signatoryPartyIds, signing.initiatorPartyId])]
}

/**
 * Checks that a payment waits for signatures, and that the party is one of its signatories. Throws
 * INVALID_STATE_TRANSITION, SIGNATURES_EXPIRED and NOT_A_SIGNATORY.
 */
export function requireSignatory(payment: Payment, partyId: string, now: Date): Signing {
  const { paymentId: resourceId, state, signing, signaturesExpireAt } = payment
  if (state !== 'pending-signatures' || !signing || !signaturesExpireAt) {
    const detail = `The payment is ${state}; it does not wait for signatures.`
    throw new Problem('INVALID_STATE_TRANSITION', { resourceId, detail })
  }
  if (!signing.signatoryPartyIds.includes(partyId)) {
    throw new Problem('NOT_A_SIGNATORY', { resourceId })
  }
  if (signaturesExpireAt <= now) {
    const detail = `The payment could be signed until ${signaturesExpireAt.toISOString()}.`
    throw new Problem('SIGNATURES_EXPIRED', { resourceId, detail })
  }
  return signing
}

/** Adds a signature. Throws ALREADY_SIGNED. */
export function addSignature(payment: Payment, partyId: string, now: Date): Payment {
  const signing = requireSignatory(payment, partyId, now)
  if (signing.signatures.some((each) => each.partyId === partyId)) {
    throw new Problem('ALREADY_SIGNED', { resourceId: payment.paymentId })
  }
  const signature = { partyId, signedAt: now.toISOString() }
  return { ...payment, signing: { ...signing, signatures: [...signing.signatures, signature] } }
}

/**
 * Whether a payment has the signatures that it needs. Only those of parties that may still pay from
 * the account count.
 */
export function isSigned(
  { requiredSignatures, signatures }: Signing,
  entitledPartyIds: readonly string[],
): boolean {
  const counted = signatures.filter(({ partyId }) => entitledPartyIds.includes(partyId))
  return counted.length >= requiredSignatures
}
