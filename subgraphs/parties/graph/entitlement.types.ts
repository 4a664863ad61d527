import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { entitlementRights, type EntitlementRight } from '../../../kernel/domain/entitlement.ts'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../../kernel/graph/money.types.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { entitlementStatuses, type EntitlementStatus, type Reason } from '../domain/entitlement.ts'

export const EntitlementRightEnum = wireEnum(
  'EntitlementRight',
  entitlementRights,
  'The right that an entitlement grants. `TRANSFER` includes `VIEW`; `MANAGE` includes ' + 'both.',
  {
    view: 'The grantee may read the account or the agreement.',
    transfer:
      "The grantee may also make transfers from the account, each up to the entitlement's " +
      'limit.',
    manage: 'The grantee may also manage the account or the agreement on behalf of the grantor.',
  },
)

export const EntitlementStatusEnum = wireEnum(
  'EntitlementStatus',
  entitlementStatuses,
  'The state of an entitlement.',
  {
    active: 'The entitlement has not been revoked. It applies until the end of its last day.',
    revoked:
      'The entitlement was revoked by the grantor, the grantee or the bank. This state is ' +
      'final.',
  },
)

const EntitlementRuleEnum = wireEnum(
  'EntitlementRule',
  ['owner', 'entitlement', 'nothing-granted'],
  'A rule that is evaluated to decide whether a party has a right.',
  {
    owner: 'Whether the party owns the record itself.',
    entitlement: 'Whether an entitlement of the party to the record grants the right.',
    'nothing-granted': 'The party has no entitlement to the record, so access is denied.',
  },
)

@ObjectType({
  description:
    'A right of one party, the grantee, to use an account or an agreement of another ' +
    'party, the grantor.',
})
@Directive('@key(fields: "entitlementId")')
export class Entitlement {
  @Field(() => ID, { description: 'The ID of the entitlement.' })
  entitlementId: string

  @Field(() => ID, {
    description: 'The ID of the party that owns the record and grants the right.',
  })
  grantorPartyId: string

  @Field(() => ID, { description: 'The ID of the party that receives the right.' })
  granteePartyId: string

  @Field(() => String, {
    description: 'The record to which the right applies: `arrangement/<id>` or `agreement/<id>`.',
  })
  resource: string

  @Field(() => EntitlementRightEnum, { description: 'The right that the grantee has.' })
  right: EntitlementRight

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The maximum amount of a single transfer; null if there is no limit.',
  })
  limit: MoneyType | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day on which the entitlement applies; null if it is open-ended.',
  })
  validTo: string | null

  @Field(() => EntitlementStatusEnum, {
    description: 'Whether the entitlement is active or revoked.',
  })
  status: EntitlementStatus

  @Field(() => DateTimeScalar, { description: 'When the entitlement was granted, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the entitlement last changed, in UTC.' })
  updatedAt: Date
}

export const EntitlementConnection = connectionOf('Entitlement', () => Entitlement)

@InputType({ description: 'The entitlement to grant.' })
export class GrantEntitlementInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new entitlement; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing entitlement.',
  })
  entitlementId?: string | null

  @Field(() => ID, {
    description: 'The ID of the party that owns the record and grants the right.',
  })
  grantorPartyId: string

  @Field(() => ID, {
    description: 'The ID of the active party that receives the right. It must not be the grantor.',
  })
  granteePartyId: string

  @Field(() => String, {
    description:
      "The grantor's record to which the right applies: `arrangement/<id>` or " +
      '`agreement/<id>`.',
  })
  resource: string

  @Field(() => EntitlementRightEnum, {
    description: 'The right to grant. `TRANSFER` can be granted only on an account.',
  })
  right: EntitlementRight

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The maximum amount of a single transfer, greater than zero and in the currency of the ' +
      'account. Only allowed for `TRANSFER` or `MANAGE` on an account. If omitted, there is no ' +
      'limit.',
  })
  limit?: MoneyInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the entitlement applies, today or later. If omitted, the ' +
      'entitlement is open-ended.',
  })
  validTo?: string | null
}

@ObjectType({
  description:
    'The result of one rule that was evaluated to decide whether the party has the right.',
})
export class EntitlementReason implements Reason {
  @Field(() => EntitlementRuleEnum, { description: 'The rule that was evaluated.' })
  rule: Reason['rule']

  @Field(() => Boolean, { description: 'Whether the rule grants the right.' })
  allows: boolean

  @Field(() => String, { description: 'A sentence that explains the result of the rule.' })
  detail: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the evaluated entitlement; null unless the rule is `ENTITLEMENT`.',
  })
  entitlementId: string | null
}

@ObjectType({
  description: 'The decision on whether a party has a right to a record, with the reasons.',
})
export class EntitlementExplanation {
  @Field(() => Boolean, { description: 'Whether the party has the right to the record.' })
  allowed: boolean

  @Field(() => [EntitlementReason], {
    description: 'The rules that were evaluated, in the order of evaluation.',
  })
  because: EntitlementReason[]
}
