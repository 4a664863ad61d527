import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { entitlementRights, type EntitlementRight } from '../../_kernel/domain/entitlement.ts'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { entitlementStatuses, type EntitlementStatus, type Reason } from '../domain/entitlement.ts'

export const EntitlementRightEnum = wireEnum(
  'EntitlementRight',
  entitlementRights,
  'What a party may do with what is another’s; each right includes those before it.',
)

export const EntitlementStatusEnum = wireEnum(
  'EntitlementStatus',
  entitlementStatuses,
  'Whether an entitlement was taken back.',
)

const EntitlementRuleEnum = wireEnum(
  'EntitlementRule',
  ['owner', 'entitlement', 'nothing-granted'],
  'A rule that was looked at.',
)

@ObjectType({
  description: 'What one party lets another do with an account or an agreement of theirs.',
})
@Directive('@key(fields: "entitlementId")')
export class Entitlement {
  @Field(() => ID)
  entitlementId: string

  @Field(() => ID)
  grantorPartyId: string

  @Field(() => ID)
  granteePartyId: string

  @Field(() => String, { description: '`arrangement/<id>` or `agreement/<id>`.' })
  resource: string

  @Field(() => EntitlementRightEnum)
  right: EntitlementRight

  @Field(() => MoneyType, { nullable: true, description: 'The most of one transfer.' })
  limit: MoneyType | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'The last day it holds.' })
  validTo: string | null

  @Field(() => EntitlementStatusEnum)
  status: EntitlementStatus

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const EntitlementConnection = connectionOf('Entitlement', () => Entitlement)

@InputType()
export class GrantEntitlementInput {
  @Field(() => ID, { nullable: true })
  entitlementId?: string | null

  @Field(() => ID)
  grantorPartyId: string

  @Field(() => ID)
  granteePartyId: string

  @Field(() => String, {
    description: '`arrangement/<id>` or `agreement/<id>`, of the party that grants.',
  })
  resource: string

  @Field(() => EntitlementRightEnum)
  right: EntitlementRight

  @Field(() => MoneyInput, { nullable: true, description: 'The most of one transfer.' })
  limit?: MoneyInput | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'The last day it holds.' })
  validTo?: string | null
}

@ObjectType({ description: 'A rule that was looked at, and whether it allows.' })
export class EntitlementReason implements Reason {
  @Field(() => EntitlementRuleEnum)
  rule: Reason['rule']

  @Field(() => Boolean)
  allows: boolean

  @Field(() => String)
  detail: string

  @Field(() => ID, { nullable: true })
  entitlementId: string | null
}

@ObjectType({ description: 'Whether a party may use a record, and why.' })
export class EntitlementExplanation {
  @Field(() => Boolean)
  allowed: boolean

  @Field(() => [EntitlementReason], { description: 'The rules in the order they were looked at.' })
  because: EntitlementReason[]
}
