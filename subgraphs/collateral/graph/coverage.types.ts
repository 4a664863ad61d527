import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { DecimalScalar } from '../../_kernel/scalars.ts'

@ObjectType()
@Directive('@key(fields: "facilityId")')
export class Facility {
  @Field(() => ID)
  facilityId: string
}

@ObjectType({ description: 'The allocation of a collateral to a facility.' })
export class CollateralLink {
  @Field(() => ID, { description: 'The ID of the secured facility.' })
  facilityId: string

  @Field(() => Facility, {
    nullable: true,
    description: 'The secured facility; null if the caller cannot see it.',
  })
  facility: Facility

  @Field(() => Int, {
    description:
      'The rank of the allocation, from 1 to 99. Lower ranks are satisfied first; allocations ' +
      'of the same rank share pro rata.',
  })
  rank: number

  @Field(() => MoneyType, {
    nullable: true,
    description: 'The requested amount; null if a percentage was requested.',
  })
  amount: MoneyType | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The requested part of the lendable value, as a percentage; null if an amount was requested.',
  })
  pct: string | null

  @Field(() => MoneyType, {
    description: 'The amount available for the facility, given the lendable value and the ranks.',
  })
  allocated: MoneyType

  @Field(() => Boolean, {
    description:
      'Whether the allocation counts as coverage. It does while the collateral is active or its ' +
      'release is pending.',
  })
  isCovering: boolean
}

@ObjectType({ description: 'The collateral coverage of a facility.' })
export class FacilityCoverage {
  @Field(() => MoneyType, {
    description: 'The amount covered by collaterals that count as coverage.',
  })
  allocated: MoneyType

  @Field(() => MoneyType, { description: 'The coverage required for the outstanding balance.' })
  required: MoneyType

  @Field(() => MoneyType, {
    description:
      'The required coverage that is not allocated; 0 if the facility is sufficiently covered.',
  })
  shortfall: MoneyType
}
