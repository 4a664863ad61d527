import { requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { partiesThatMayPay } from '../../../kernel/authorization/signing.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Change, DecisionRequest } from '../../../kernel/graph/transitions.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { hasEnded } from '../domain/arrangement.ts'
import { Problem } from '../domain/problems.ts'
import { requireValidRule, type SigningRuleContent } from '../domain/signing-rule.ts'
import type { SigningRuleEvent } from '../events.ts'
import { signingRuleFact } from '../facts.ts'
import type { Arrangement } from '../model/arrangement.ts'
import type { SigningRule } from '../model/signing-rule.ts'
import { findArrangement, updateArrangement } from '../store/arrangement.ts'
import { signingRuleKind } from '../store/signing-rule.ts'
import { arrangementFact } from './publish.ts'

/** A signing rule to propose. */
export interface SigningRuleProposal extends SigningRuleContent {
  signingRuleId: string | null
  arrangementId: string
  reason: string
}

/**
 * Proposes a signing rule for an account, which another person has to approve. Throws
 * NOT_FOR_DELEGATED_USERS, ARRANGEMENT_NOT_FOUND, ARRANGEMENT_CLOSED, SIGNATORY_NOT_ENTITLED,
 * RESOURCE_EXISTS, and whatever `requireValidRule` throws.
 */
export async function proposeSigningRule(
  context: Context,
  request: SigningRuleProposal,
): Promise<SigningRule> {
  requireBank(context)
  const { signingRuleId, arrangementId, requiredSignatures, fromAmount, reason } = request
  const name = 'proposeSigningRule'
  return createRecord(context, signingRuleKind, name, request, signingRuleId, async (stamp) => {
    const account = await findArrangement(context, arrangementId)
    if (!account) throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/arrangementId')
    requireOpen(account)
    requireValidRule(request, account.currency)
    await requireEntitled(context, account, request.signatoryPartyIds)
    const record: SigningRule = {
      ...versioned(stamp),
      signingRuleId: stamp.id,
      arrangementId,
      partyId: account.partyId,
      currency: account.currency,
      requiredSignatures,
      fromMinor: fromAmount?.amountMinor ?? null,
      signatoryPartyIds: [...request.signatoryPartyIds],
      reason,
      state: 'proposed',
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
    }
    return { record }
  })
}

/** Throws ARRANGEMENT_CLOSED. */
function requireOpen(account: Arrangement): void {
  if (!hasEnded(account)) return
  throw new Problem('ARRANGEMENT_CLOSED', { resourceId: account.arrangementId })
}

/** Checks that each signatory may pay from the account today. Throws SIGNATORY_NOT_ENTITLED. */
async function requireEntitled(
  context: Context,
  account: Arrangement,
  signatoryPartyIds: readonly string[],
): Promise<void> {
  const entitled = await partiesThatMayPay(context, account, signatoryPartyIds)
  const index = signatoryPartyIds.findIndex((partyId) => !entitled.includes(partyId))
  if (index < 0) return
  const code = 'SIGNATORY_NOT_ENTITLED'
  const partyId = signatoryPartyIds[index]!
  const detail = `${partyId} neither owns ${account.arrangementId} nor is entitled to pay from it.`
  const errors = [{ pointer: `/signatoryPartyIds/${index}`, code, detail, resourceId: partyId }]
  throw new Problem(code, { detail, errors })
}

/**
 * Checks that another person decides on a signing rule, and that the signatories of an approved one
 * may still pay from the account. Throws SEGREGATION_OF_DUTIES, ARRANGEMENT_CLOSED,
 * SIGNATORY_NOT_ENTITLED.
 */
export async function decideSigningRule(
  after: SigningRule,
  { context, before }: DecisionRequest<SigningRule>,
): Promise<SigningRule> {
  const detail = 'The person who proposed a signing rule cannot decide on it.'
  const { signingRuleId: resourceId } = before
  await requireAnotherPerson(context, [before.proposedBy], { resourceId, detail })
  if (after.state !== 'approved') return after
  const account = (await findArrangement(context, before.arrangementId))!
  requireOpen(account)
  await requireEntitled(context, account, before.signatoryPartyIds)
  return after
}

/**
 * Changes the state of a signing rule. An approved one is published. The account gets a new version
 * with it, so that a payment that was decided under the former rule is decided again. Throws
 * SIGNING_RULE_NOT_FOUND, and whatever `decide` throws.
 */
export const changeSigningRule: Change<SigningRule, SigningRuleEvent> = (
  context,
  operation,
  input,
  signingRuleId,
  event,
  decide,
) =>
  changeRecord(
    context,
    signingRuleKind,
    operation,
    input,
    signingRuleId,
    event,
    async (before, now) => {
      const record = await decide(before, now)
      if (record.state !== 'approved') return { record }
      const account = (await findArrangement(context, record.arrangementId))!
      const after = { ...account, version: account.version + 1, updatedAt: now }
      // The account itself does not change, so it emits no event.
      const writes = updateArrangement(after, account.version, false)
      return { record, writes, facts: [arrangementFact(after), signingRuleFact(record)] }
    },
  )
