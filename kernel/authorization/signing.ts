import type { Context } from '../environment/context.ts'
import { dateOf } from '../domain/dates.ts'
import { validGrants, type Grant } from '../domain/entitlement.ts'
import { Problem } from '../domain/problem.ts'
import {
  maySignAlone,
  signaturesFor,
  signingRuleIn,
  signingRuleSubject,
  type SigningRule,
} from '../domain/signing.ts'
import { readHeldFacts } from '../writing/facts.ts'

/**
 * Returns the signing rule that the caller has to observe when money leaves an account. Returns null
 * if the account has none, and for callers that act for no party: the bank, its employees and
 * machine clients are not bound by the rule. The account is held as well, because it gets a new
 * version with each rule, so that a command also notices the first rule of an account. Outside a
 * command nothing is held: a rule that is approved between the check and the commit does not stop a
 * posting.
 */
export async function readSigningRule(
  context: Context,
  arrangementId: string,
): Promise<SigningRule | null> {
  if (context.caller.partyId === null) return null
  const subjects = [`arrangement/${arrangementId}`, signingRuleSubject(arrangementId)]
  const [, fact] = await readHeldFacts(context, subjects)
  return signingRuleIn(fact ?? null)
}

/**
 * Checks that the caller alone may move money out of an account, for operations that cannot wait for
 * the signatures of others. `amountMinor` is in the currency of the account, or null if it is not
 * known. Throws SIGNATURES_REQUIRED.
 */
export async function requireSoleSignature(
  context: Context,
  arrangementId: string,
  amountMinor: bigint | null,
  pointer: string,
): Promise<void> {
  const rule = await readSigningRule(context, arrangementId)
  if (!rule || maySignAlone(rule, context.caller.partyId!, amountMinor)) return
  const code = 'SIGNATURES_REQUIRED'
  const required = signaturesFor(rule, amountMinor)
  const detail =
    `Payments from ${arrangementId} need ${required} of its signatories to sign. ` +
    'Pay with createTransfer, which collects the signatures.'
  const errors = [{ pointer, code, detail, resourceId: arrangementId }]
  throw new Problem(code, { detail, errors, resourceId: arrangementId })
}

/**
 * Returns those of the parties that may pay from an account today, as its owner or through an
 * entitlement, and are not deceased. The commit fails if one of the rights changes before it.
 */
export async function partiesThatMayPay(
  context: Context,
  { partyId: ownerId, arrangementId }: { partyId: string; arrangementId: string },
  partyIds: readonly string[],
): Promise<string[]> {
  const today = dateOf(context.now())
  const resource = `arrangement/${arrangementId}`
  const subjects = partyIds.flatMap((id) => [`party/${id}`, `entitlements-of/${id}`])
  const facts = await readHeldFacts(context, subjects)
  return partyIds.filter((partyId, index) => {
    if (facts[2 * index]?.['status'] === 'deceased') return false
    if (partyId === ownerId) return true
    const grants = (facts[2 * index + 1]?.['grants'] ?? []) as Grant[]
    return validGrants(grants, 'transfer', today).some((grant) => grant.resource === resource)
  })
}
