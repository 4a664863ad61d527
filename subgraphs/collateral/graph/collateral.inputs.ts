import { Field, ID, InputType, Int } from 'type-graphql'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import {
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import type { CollateralRequest } from '../commands/collateral.ts'
import type { AllocationRequest } from '../domain/actions.ts'
import type { CollateralDescription } from '../domain/collateral.ts'
import type { IdentifierScheme } from '../domain/identifier.ts'
import type { OwnerRequest } from '../domain/owner.ts'
import type { ValuationRequest, ValuationMethod } from '../domain/valuation.ts'
import { SchemeEnum } from './collateral.types.ts'
import { MethodEnum } from './valuation.types.ts'

@InputType({ description: 'An owner of collateral, with the share owned.' })
class CollateralOwnerInput implements OwnerRequest {
  @Field(() => ID, { description: 'The ID of the party. Each party can be listed once.' })
  partyId: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The share owned, as a percentage greater than 0 and at most 100. Defaults to 100 for a ' +
      'single owner; required if there are several.',
  })
  sharePct?: string | null
}

@InputType({ description: 'An identifier of collateral in an external register or system.' })
class CollateralIdentifierInput {
  @Field(() => SchemeEnum, {
    description: 'The numbering system to which the identifier belongs, such as `VIN` or `ISIN`.',
  })
  scheme: IdentifierScheme

  @Field(() => LabelScalar, {
    description:
      'The identifier, with at least one letter or digit. Case and punctuation are ignored when ' +
      'identifiers are compared.',
  })
  value: string
}

@InputType({ description: 'A valuation of collateral.' })
class CollateralValuationInput implements ValuationRequest {
  @Field(() => MoneyInput, {
    description:
      'The market value, before the haircut and prior liens. Must not be negative and must be ' +
      'in the currency of the collateral, if it has one.',
  })
  marketValue: MoneyInput

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The value expected in a forced sale, at most the market value.',
  })
  forcedSaleValue?: MoneyInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date as of which the value was determined. Defaults to today; must not be in the ' +
      'future.',
  })
  valuationDate?: string | null

  @Field(() => MethodEnum, { description: 'The method by which the value was determined.' })
  method: ValuationMethod

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The person or company that determined the value.',
  })
  valuer?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The source of the value, such as a report or price feed.',
  })
  source?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date on which the next valuation is due. Must be after the valuation date.',
  })
  nextRevaluationDue?: string | null
}

@InputType({
  description:
    'The part of the collateral to allocate to a facility: an amount, or a percentage of the ' +
    'lendable value. Defaults to the whole lendable value.',
})
class CollateralLinkInput implements AllocationRequest {
  @Field(() => ID, {
    description: 'The ID of the facility, which must be in the currency of the collateral.',
  })
  facilityId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'The rank of the allocation, from 1 (satisfied first) to 99. Defaults to one more than the ' +
      'highest rank of the other allocations, at most 99.',
  })
  rank?: number | null

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The amount to allocate, greater than 0. Must be omitted if `pct` is sent.',
  })
  amount?: MoneyInput | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The part of the lendable value to allocate, as a percentage greater than 0 and at most ' +
      '100. Must be omitted if `amount` is sent.',
  })
  pct?: string | null
}

@InputType({ description: 'The descriptive properties of collateral.' })
class DescribedInput implements CollateralDescription {
  @Field(() => TextScalar, { nullable: true, description: 'A description of the asset.' })
  description?: string | null

  @Field(() => [CollateralOwnerInput], {
    nullable: true,
    description:
      'The owners of the collateral, at most 50. If collateral without owners is allocated to a ' +
      'facility, the borrower of the facility becomes its owner.',
  })
  owners?: CollateralOwnerInput[] | null

  @Field(() => [CollateralIdentifierInput], {
    nullable: true,
    description: 'The identifiers of the collateral in external registers and systems, at most 20.',
  })
  identifiers?: CollateralIdentifierInput[] | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The haircut deducted from the market value, as a percentage from 0 to 100. For new ' +
      'collateral, defaults to the haircut of its type.',
  })
  haircutPct?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      "The total of the claims that rank ahead of the bank's lien. It is deducted from the " +
      'market value after the haircut.',
  })
  priorLiens?: MoneyInput | null
}

@InputType({
  description:
    'The collateral to create. Delegated users can propose assets they own, without a valuation, ' +
    'links, a haircut or prior liens.',
})
export class CreateCollateralInput extends DescribedInput implements CollateralRequest {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the collateral, chosen by the client. Generated if omitted.',
  })
  collateralId?: string | null

  @Field(() => LabelScalar, {
    description:
      'The type of the collateral: `real-estate`, `vehicle`, `cash-deposit`, `securities`, ' +
      '`receivables`, `inventory`, `equipment`, `guarantee`, `life-policy` or any other text. ' +
      'It determines the default haircut.',
  })
  collateralType: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial status. With a valuation, it is `active` (the default) or `valued`. Without a ' +
      'valuation, it is `proposed` (the default) or `active`.',
  })
  status?: string | null

  @Field(() => CollateralValuationInput, {
    nullable: true,
    description: 'The first valuation of the collateral.',
  })
  valuation?: CollateralValuationInput | null

  @Field(() => [CollateralLinkInput], {
    nullable: true,
    description: 'The facilities that the collateral secures. Requires a valuation.',
  })
  links?: CollateralLinkInput[] | null
}

@InputType({
  description: 'The changes to collateral. Fields that are omitted or null keep their values.',
})
export class UpdateCollateralInput extends DescribedInput {
  @Field(() => ID, { description: 'The ID of the collateral.' })
  collateralId: string
}

@InputType({ description: 'A new valuation of collateral.' })
export class ValueCollateralInput extends CollateralValuationInput {
  @Field(() => ID, { description: 'The ID of the collateral.' })
  collateralId: string
}

@InputType({
  description:
    'The allocation of collateral to a facility. It replaces any earlier allocation to the same ' +
    'facility.',
})
export class AllocateCollateralInput extends CollateralLinkInput {
  @Field(() => ID, { description: 'The ID of the collateral.' })
  collateralId: string
}

@InputType({ description: 'The perfection of the security interest in collateral.' })
export class PerfectCollateralInput {
  @Field(() => ID, { description: 'The ID of the collateral.' })
  collateralId: string

  @Field(() => LabelScalar, {
    description: 'The register or method of perfection, such as a land register or possession.',
  })
  registry: string

  @Field(() => LabelScalar, { nullable: true, description: 'The reference of the registration.' })
  reference?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date on which the security interest was perfected. Defaults to today; must not be in ' +
      'the future.',
  })
  perfectedOn?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the perfection is valid. If omitted, the perfection does not expire.',
  })
  expiresOn?: string | null
}

@InputType({ description: 'The insurance of collateral.' })
export class InsureCollateralInput {
  @Field(() => ID, { description: 'The ID of the collateral.' })
  collateralId: string

  @Field(() => LabelScalar, { description: 'The name of the insurer.' })
  insurer: string

  @Field(() => LabelScalar, { nullable: true, description: 'The number of the policy.' })
  policyNumber?: string | null

  @Field(() => LocalDateScalar, {
    description: 'The last day of the policy. Must not be in the past.',
  })
  expiresOn: string
}
