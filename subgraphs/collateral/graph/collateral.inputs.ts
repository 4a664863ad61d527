import { Field, ID, InputType, Int } from 'type-graphql'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import { DecimalScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import type { CollateralAsked } from '../collateral-commands.ts'
import type { AllocationAsked } from '../domain/acts.ts'
import type { Described } from '../domain/collateral.ts'
import type { IdentifierScheme } from '../domain/identifier.ts'
import type { OwnerAsked } from '../domain/owner.ts'
import type { ValuationAsked, ValuationMethod } from '../domain/valuation.ts'
import { MethodEnum, SchemeEnum } from './collateral.types.ts'

@InputType()
class CollateralOwnerInput implements OwnerAsked {
  @Field(() => ID)
  partyId: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Percent; 100 for a single owner.' })
  sharePct?: string | null
}

@InputType()
class CollateralIdentifierInput {
  @Field(() => SchemeEnum)
  scheme: IdentifierScheme

  @Field(() => LabelScalar)
  value: string
}

@InputType({ description: 'What a collateral was found to be worth.' })
class CollateralValuationInput implements ValuationAsked {
  @Field(() => MoneyInput)
  marketValue: MoneyInput

  @Field(() => MoneyInput, { nullable: true })
  forcedSaleValue?: MoneyInput | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'Today when absent.' })
  valuationDate?: string | null

  @Field(() => MethodEnum)
  method: ValuationMethod

  @Field(() => LabelScalar, { nullable: true })
  valuer?: string | null

  @Field(() => LabelScalar, { nullable: true })
  source?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  nextRevaluationDue?: string | null
}

@InputType({
  description:
    'A part of a collateral for a facility: an amount, or percent; all of it by default.',
})
class CollateralLinkInput implements AllocationAsked {
  @Field(() => ID)
  facilityId: string

  @Field(() => Int, { nullable: true, description: '1 to 99; after all others when absent.' })
  rank?: number | null

  @Field(() => MoneyInput, { nullable: true })
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Of the lendable value.' })
  pct?: string | null
}

/** What may be said of a collateral at any time. */
@InputType()
class DescribedInput implements Described {
  @Field(() => TextScalar, { nullable: true })
  description?: string | null

  @Field(() => [CollateralOwnerInput], { nullable: true })
  owners?: CollateralOwnerInput[] | null

  @Field(() => [CollateralIdentifierInput], { nullable: true })
  identifiers?: CollateralIdentifierInput[] | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Percent; by the type when absent.' })
  haircutPct?: string | null

  @Field(() => MoneyInput, { nullable: true, description: 'What others are paid first from it.' })
  priorLiens?: MoneyInput | null
}

@InputType({ description: 'Something that is to secure a loan.' })
export class CreateCollateralInput extends DescribedInput implements CollateralAsked {
  @Field(() => ID, { nullable: true })
  collateralId?: string | null

  @Field(() => LabelScalar, {
    description:
      'real-estate, vehicle, cash-deposit, securities, receivables, inventory, equipment, guarantee, life-policy, or any other text.',
  })
  collateralType: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The requested initial state: proposed; active with a valuation.',
  })
  status?: string | null

  @Field(() => CollateralValuationInput, { nullable: true })
  valuation?: CollateralValuationInput | null

  @Field(() => [CollateralLinkInput], { nullable: true })
  links?: CollateralLinkInput[] | null
}

@InputType({ description: 'What is absent stays as it is.' })
export class UpdateCollateralInput extends DescribedInput {
  @Field(() => ID)
  collateralId: string
}

@InputType()
export class ValueCollateralInput extends CollateralValuationInput {
  @Field(() => ID)
  collateralId: string
}

@InputType({ description: 'Takes the place of what the facility had of this collateral.' })
export class AllocateCollateralInput extends CollateralLinkInput {
  @Field(() => ID)
  collateralId: string
}

@InputType()
export class PerfectCollateralInput {
  @Field(() => ID)
  collateralId: string

  @Field(() => LabelScalar, { description: 'Where, or how: a land register, possession.' })
  registry: string

  @Field(() => LabelScalar, { nullable: true })
  reference?: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'Today when absent.' })
  perfectedOn?: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'The last day it is good for.' })
  expiresOn?: string | null
}

@InputType()
export class InsureCollateralInput {
  @Field(() => ID)
  collateralId: string

  @Field(() => LabelScalar)
  insurer: string

  @Field(() => LabelScalar, { nullable: true })
  policyNumber?: string | null

  @Field(() => LocalDateScalar, { description: 'The last day of the policy.' })
  expiresOn: string
}
