import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { loader } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { signingRuleSnapshot, type SigningRuleEvent } from '../events.ts'
import type { SigningRule } from '../model/signing-rule.ts'

export const signingRuleTable = tableOf<SigningRule, Prisma.SigningRuleGetPayload<object>>(
  'accounts.signing_rule',
  'signingRuleId',
  ({ db }) => db.signingRule,
  (row) => ({ ...row, state: row.state as SigningRule['state'] }),
)

export const signingRuleKind: RecordKind<SigningRule, SigningRuleEvent> = {
  ...signingRuleTable,
  entity: 'signing-rule',
  id: 'signingRule',
  notFound: 'SIGNING_RULE_NOT_FOUND',
  created: 'accounts.signing-rule.proposed',
  snapshot: signingRuleSnapshot,
  // Proposals are internal to the bank.
  ownersOf: ({ state, partyId, signatoryPartyIds }) =>
    state === 'approved' ? [...new Set([partyId, ...signatoryPartyIds])] : [],
  isPublished: false,
}

/**
 * Loads the signing rules that apply to accounts, by the ID of the account; null if an account has
 * none. Delegated users get those of accounts that they own or are entitled to see.
 */
export const loadSigningRuleOf = loader<string, SigningRule>(async (context, ids) => {
  const approved = await signingRuleTable.findMany(context, {
    where: { arrangementId: { in: [...ids] }, state: 'approved' },
    orderBy: [{ decidedAt: 'desc' }, { version: 'desc' }, { signingRuleId: 'desc' }],
  })
  const grantedIds = new Set(await idsGranted(context, 'arrangement'))
  return ids.map((arrangementId) => {
    const last = approved.find((each) => each.arrangementId === arrangementId)
    if (!last || last.signatoryPartyIds.length === 0) return null
    const isVisible = maySee(context.caller, [last.partyId]) || grantedIds.has(arrangementId)
    return isVisible ? last : null
  })
})
