import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { campaignStatuses, type CampaignStatus } from '../domain/campaign.ts'

export const CampaignStatusEnum = wireEnum(
  'CampaignStatus',
  campaignStatuses,
  'The lifecycle state of a campaign.',
  {
    draft: 'The campaign is being prepared and does not apply yet.',
    active: 'The campaign applies between its first and its last day.',
    ended:
      'The campaign is over. Discounts and waivers that were already granted are kept. This ' +
      'state is final.',
    withdrawn: 'The campaign was withdrawn by the bank. This state is final.',
  },
)

@ObjectType({
  description:
    'A time-limited promotion of products: a discount on the interest rate, waived fees, ' +
    'or both.',
})
@Directive('@key(fields: "campaignId")')
export class Campaign {
  @Field(() => ID, { description: 'The ID of the campaign.' })
  campaignId: string

  @Field(() => LabelScalar, { description: 'The name of the campaign.' })
  name: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'A description of the campaign; null if none was given.',
  })
  description: string | null

  @Field(() => CampaignStatusEnum, { description: 'The current lifecycle state of the campaign.' })
  status: CampaignStatus

  @Field(() => [ID], {
    description: 'The IDs of the products to which the campaign applies.',
  })
  productIds: readonly string[]

  @Field(() => [LabelScalar], {
    description:
      'The customer segments to which the campaign applies; empty if it applies to all ' +
      'customers. Letter case is ignored.',
  })
  segments: readonly string[]

  @Field(() => LocalDateScalar, { description: 'The first day of the campaign.' })
  validFrom: string

  @Field(() => LocalDateScalar, { description: 'The last day of the campaign.' })
  validTo: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The discount on the interest rate, in percentage points per year; null if the campaign ' +
      'gives none.',
  })
  discountPct: string | null

  @Field(() => [LabelScalar], {
    description:
      'The codes of the fees that are not charged for fee periods that begin on a day of ' +
      'the campaign.',
  })
  waivedFees: readonly string[]

  @Field(() => DateTimeScalar, { description: 'When the campaign was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the campaign last changed, in UTC.' })
  updatedAt: Date
}

export const CampaignConnection = connectionOf('Campaign', () => Campaign)

@InputType({
  description: 'The campaign to create. It must give a discount, waive a fee, or both.',
})
export class CreateCampaignInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new campaign; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing campaign.',
  })
  campaignId?: string | null

  @Field(() => LabelScalar, { description: 'The name of the campaign.' })
  name: string

  @Field(() => TextScalar, { nullable: true, description: 'A description of the campaign.' })
  description?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial state, in any letter case: `draft`, which is the default, or `active`.',
  })
  status?: string | null

  @Field(() => [ID], {
    description: 'The IDs of the products to which the campaign applies, at least one.',
  })
  productIds: string[]

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The customer segments to which the campaign applies. Letter case is ignored. If omitted ' +
      'or empty, the campaign applies to all customers.',
  })
  segments?: string[] | null

  @Field(() => LocalDateScalar, { description: 'The first day of the campaign.' })
  validFrom: string

  @Field(() => LocalDateScalar, {
    description: 'The last day of the campaign. It must not be before `validFrom`.',
  })
  validTo: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The discount on the interest rate, in percentage points per year, greater than 0.',
  })
  discountPct?: string | null

  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The codes of the fees that are not charged for fee periods that begin on a day of ' +
      'the campaign.',
  })
  waivedFees?: string[] | null
}
