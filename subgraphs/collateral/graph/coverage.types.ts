import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import { DecimalScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType()
@Directive('@key(fields: "facilityId")')
export class Facility {
  @Field(() => ID)
  facilityId: string
}

@ObjectType({ description: 'The allocation of collateral to a facility.' })
export class CollateralLink {
  @Field(() => ID, { description: 'The ID of the secured facility.' })
  facilityId: string

  @Field(() => Facility, {
    nullable: true,
    description: 'The secured facility; null if the facility is not visible to the caller.',
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
    description:
      'The amount that actually secures the facility, given the lendable value and the ranks of ' +
      'all allocations.',
  })
  allocated: MoneyType

  @Field(() => Boolean, {
    description:
      'Whether the allocation counts as coverage, which it does while the collateral is active ' +
      'or its release is pending.',
  })
  isCovering: boolean
}

@ObjectType({ description: 'The collateral coverage of a facility.' })
export class FacilityCoverage {
  @Field(() => MoneyType, {
    description: 'The amount secured by collateral that counts as coverage.',
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
