import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import { campaignStatuses, type CampaignStatus } from '../domain/campaign.ts'

export const CampaignStatusEnum = wireEnum(
  'CampaignStatus',
  campaignStatuses,
  'Where a campaign stands.',
)

@ObjectType({
  description: 'For a time, to some customers or all: a discount on a rate, fees that are waived.',
})
@Directive('@key(fields: "campaignId")')
export class Campaign {
  @Field(() => ID)
  campaignId: string

  @Field(() => LabelScalar)
  name: string

  @Field(() => TextScalar, { nullable: true })
  description: string | null

  @Field(() => CampaignStatusEnum)
  status: CampaignStatus

  @Field(() => [ID])
  productIds: readonly string[]

  @Field(() => [LabelScalar], { description: 'Of customers; none: everybody.' })
  segments: readonly string[]

  @Field(() => LocalDateScalar, { description: 'The first day.' })
  validFrom: string

  @Field(() => LocalDateScalar, { description: 'The last day.' })
  validTo: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Off the rate, in points a year.' })
  discountPct: string | null

  @Field(() => [LabelScalar], { description: 'Fees not charged for periods that begin in it.' })
  waivedFees: readonly string[]

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const CampaignConnection = connectionOf('Campaign', () => Campaign)

@InputType()
export class CreateCampaignInput {
  @Field(() => ID, { nullable: true })
  campaignId?: string | null

  @Field(() => LabelScalar)
  name: string

  @Field(() => TextScalar, { nullable: true })
  description?: string | null

  @Field(() => LabelScalar, { nullable: true, description: '`draft` when absent, or `active`.' })
  status?: string | null

  @Field(() => [ID])
  productIds: string[]

  @Field(() => [LabelScalar], { nullable: true, description: 'Everybody when absent.' })
  segments?: string[] | null

  @Field(() => LocalDateScalar, { description: 'The first day.' })
  validFrom: string

  @Field(() => LocalDateScalar, { description: 'The last day.' })
  validTo: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Off the rate, in points a year.' })
  discountPct?: string | null

  @Field(() => [LabelScalar], { nullable: true, description: 'Codes of fees.' })
  waivedFees?: string[] | null
}
