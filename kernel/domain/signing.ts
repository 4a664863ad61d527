/** The signing rule of an account, as its published fact contains it. */
export interface SigningRule {
  signingRuleId: string
  /** How many signatories must sign a payment. */
  requiredSignatures: number
  /**
   * The amount from which on the number applies, in minor units of the account's currency. Below it,
   * one signatory is enough. Null if the number applies to every amount.
   */
  fromMinor: string | null
  /** The parties whose signatures count. Without signatories, the account has no rule. */
  signatoryPartyIds: readonly string[]
}

/** The subject of the fact with the signing rule of an account. */
export const signingRuleSubject = (arrangementId: string) => `signing-rule/${arrangementId}`

/** Returns the rule in a fact; null if there is no fact, or the fact says that there is no rule. */
export function signingRuleIn(fact: Record<string, unknown> | null): SigningRule | null {
  const rule = fact as SigningRule | null
  return rule && rule.signatoryPartyIds.length > 0 ? rule : null
}

/**
 * Returns how many signatures a payment needs. `amountMinor` is in minor units of the account's
 * currency; null if the amount is not known, which counts as large.
 */
export function signaturesFor(rule: SigningRule, amountMinor: bigint | null): number {
  const isSmall =
    rule.fromMinor !== null && amountMinor !== null && amountMinor < BigInt(rule.fromMinor)
  return isSmall ? 1 : rule.requiredSignatures
}

/** Whether the signature of one party is all that a payment needs. */
export function maySignAlone(
  rule: SigningRule,
  partyId: string,
  amountMinor: bigint | null,
): boolean {
  return rule.signatoryPartyIds.includes(partyId) && signaturesFor(rule, amountMinor) === 1
}
