import { EntitlementStatus } from './enumerations.ts'
import { Party } from './party.ts'
import {
  boolean,
  date,
  entity,
  enumeration,
  id,
  input,
  instant,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

export const EntitlementRightEnum = enumeration(
  'EntitlementRight',
  'The right that an entitlement grants. `TRANSFER` includes `VIEW`; `MANAGE` includes ' + 'both.',
  {
    view: 'The grantee may read the account or the agreement.',
    transfer:
      "The grantee may also make transfers from the account, each up to the entitlement's " +
      'limit.',
    manage: 'The grantee may also manage the account or the agreement on behalf of the grantor.',
  },
)

const EntitlementRuleEnum = enumeration(
  'EntitlementRule',
  'A rule that is evaluated to decide whether a party has a right.',
  {
    owner: 'Whether the party owns the record itself.',
    entitlement: 'Whether an entitlement of the party to the record grants the right.',
    'nothing-granted': 'The party has no entitlement to the record, so access is denied.',
  },
)

export const Entitlement = entity(
  'Entitlement',
  'entitlementId',
  'A right of one party, the grantee, to use an account or an agreement of another ' +
    'party, the grantor.',
  {
    entitlementId: id('The ID of the entitlement.'),
    grantorPartyId: id('The ID of the party that owns the record and grants the right.'),
    granteePartyId: id('The ID of the party that receives the right.'),
    resource: string(
      'The record to which the right applies: `arrangement/<id>` or `agreement/<id>`.',
    ),
    right: oneOf(EntitlementRightEnum, 'The right that the grantee has.'),
    validTo: date(
      'The last day on which the entitlement applies; null if it is open-ended.',
    ).orNull(),
    status: oneOf(EntitlementStatus, 'Whether the entitlement is active or revoked.'),
    createdAt: instant('When the entitlement was granted, in UTC.'),
    updatedAt: instant('When the entitlement last changed, in UTC.'),
    isHolder: boolean(
      'Whether the grantee is a joint holder of the account, next to the customer of the account.',
    ),
    removalProposedAt: instant(
      'When the removal of the joint holder was proposed, in UTC; null if it is not proposed.',
    ).orNull(),
    removalProposedBy: stored<string | null>(),
    limitMinor: stored<bigint | null>(),
    limitCurrency: stored<string | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Entitlement = TypeOf<typeof Entitlement>

export const entitlementStates = stateMachine(Entitlement, 'status', {
  revokeEntitlement: {
    description:
      'Revokes an entitlement, effective immediately. The grantor, the grantee and the bank can ' +
      'revoke it. The entitlement of a joint holder of an account ends with ' +
      '`approveAccountHolderRemoval` instead.',
    scope: 'parties:write',
    from: ['active'],
    to: 'revoked',
    event: [
      'entitlements.entitlement.revoked',
      'An entitlement was revoked by the grantor, the grantee or the bank.',
    ],
    args: { entitlementId: id('The ID of the active entitlement.') },
    isForDelegatedUsers: true,
  },
  proposeAccountHolderRemoval: {
    description:
      'Proposes the removal of a joint holder of an account, who keeps all rights until another ' +
      'person approves it. Not available to delegated users.',
    scope: 'parties:write',
    from: ['active'],
    to: 'active',
    event: [
      'entitlements.entitlement.removal-proposed',
      'The removal of a joint holder of an account was proposed.',
    ],
    args: { entitlementId: id('The ID of the active entitlement of the holder.') },
    set: ({ now, subject }) => ({ removalProposedAt: now, removalProposedBy: subject }),
  },
  rejectAccountHolderRemoval: {
    description:
      'Rejects or withdraws the proposed removal of a joint holder of an account. Not available to ' +
      'delegated users.',
    scope: 'parties:write',
    from: ['active'],
    to: 'active',
    event: [
      'entitlements.entitlement.removal-rejected',
      'The proposed removal of a joint holder of an account was rejected or withdrawn.',
    ],
    args: { entitlementId: id('The ID of the active entitlement of the holder.') },
    set: () => ({ removalProposedAt: null, removalProposedBy: null }),
  },
  approveAccountHolderRemoval: {
    description:
      'Removes a joint holder of an account. The removal must have been proposed by another person. ' +
      'Not available to delegated users.',
    scope: 'parties:write',
    needsPerson: true,
    from: ['active'],
    to: 'revoked',
    event: [
      'entitlements.entitlement.holder-removed',
      'A joint holder of an account was removed by two employees.',
    ],
    args: { entitlementId: id('The ID of the active entitlement of the holder.') },
  },
})

export const AddAccountHolderInput = input(
  'AddAccountHolderInput',
  'The joint holder to add to an account.',
  {
    entitlementId: id(
      'The ID of the entitlement of the holder; generated if omitted. A repeated request with the ' +
        'same ID and content returns the existing entitlement.',
    ).orNull(),
    arrangementId: id('The ID of an open account.'),
    partyId: id('The ID of the active party that becomes a holder next to the customer.'),
  },
)
export type AddAccountHolderInput = TypeOf<typeof AddAccountHolderInput>

export const AccountHolder = shape(
  'AccountHolder',
  'A joint holder of an account, next to the customer of the account.',
  {
    entitlementId: id('The ID of the entitlement that gives the holder the rights to the account.'),
    partyId: id('The ID of the party of the holder.'),
    party: object(Party, 'The party of the holder; null if the caller may not see it.').orNull(),
    since: instant('When the holder was added, in UTC.'),
  },
)
export type AccountHolder = TypeOf<typeof AccountHolder>

export const AccountStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type AccountStub = TypeOf<typeof AccountStub>

export const GrantEntitlementInput = input('GrantEntitlementInput', 'The entitlement to grant.', {
  entitlementId: id(
    'The ID of the new entitlement; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing entitlement.',
  ).orNull(),
  grantorPartyId: id('The ID of the party that owns the record and grants the right.'),
  granteePartyId: id(
    'The ID of the active party that receives the right. It must not be the grantor.',
  ),
  resource: string(
    "The grantor's record to which the right applies: `arrangement/<id>` or " + '`agreement/<id>`.',
  ),
  right: oneOf(
    EntitlementRightEnum,
    'The right to grant. `TRANSFER` can be granted only on an account.',
  ),
  limit: money(
    'The maximum amount of a single transfer, greater than zero and in the currency of the ' +
      'account. Only allowed for `TRANSFER` or `MANAGE` on an account. If omitted, there is no ' +
      'limit.',
  ).orNull(),
  validTo: date(
    'The last day on which the entitlement applies, today or later. If omitted, the ' +
      'entitlement is open-ended.',
  ).orNull(),
})
export type GrantEntitlementInput = TypeOf<typeof GrantEntitlementInput>

export const Reason = shape(
  'EntitlementReason',
  'The result of one rule that was evaluated to decide whether the party has the right.',
  {
    rule: oneOf(EntitlementRuleEnum, 'The rule that was evaluated.'),
    allows: boolean('Whether the rule grants the right.'),
    detail: string('A sentence that explains the result of the rule.'),
    entitlementId: id(
      'The ID of the evaluated entitlement; null unless the rule is `ENTITLEMENT`.',
    ).orNull(),
  },
)
export type Reason = TypeOf<typeof Reason>

export const EntitlementExplanation = shape(
  'EntitlementExplanation',
  'The decision on whether a party has a right to a record, with the reasons.',
  {
    allowed: boolean('Whether the party has the right to the record.'),
    because: list(object(Reason), 'The rules that were evaluated, in the order of evaluation.'),
  },
)
export type EntitlementExplanation = TypeOf<typeof EntitlementExplanation>
