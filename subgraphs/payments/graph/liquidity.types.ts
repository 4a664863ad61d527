import { Field, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LocalDateScalar,
} from '../../_kernel/scalars.ts'
import { flowKinds, type FlowKind } from '../domain/liquidity.ts'
import { DirectionEnum } from './posting.types.ts'

const FlowKindEnum = wireEnum('LiquidityFlowKind', flowKinds, 'Why money is expected to move.')

@ObjectType({ description: 'What is expected of one kind on a day.' })
export class LiquidityFlow {
  @Field(() => FlowKindEnum)
  kind: FlowKind

  @Field(() => DirectionEnum)
  direction: 'in' | 'out'

  @Field(() => DecimalScalar)
  amount: string
}

@ObjectType({ description: 'What is expected on a day, and what the nostro holds at its end.' })
export class LiquidityDay {
  @Field(() => LocalDateScalar)
  date: string

  @Field(() => DecimalScalar)
  inflow: string

  @Field(() => DecimalScalar)
  outflow: string

  @Field(() => DecimalScalar)
  nostro: string

  @Field(() => [LiquidityFlow])
  flows: LiquidityFlow[]
}

@ObjectType({
  description: 'What the bank holds in a currency, owes its customers, and expects to come and go.',
})
export class LiquidityPosition {
  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DateTimeScalar)
  asOf: Date

  @Field(() => DecimalScalar, { description: 'What it holds with its correspondent.' })
  nostro: string

  @Field(() => DecimalScalar, {
    description:
      'What others owe it; less than nothing what left accounts and the nostro still has to pay.',
  })
  inTransit: string

  @Field(() => DecimalScalar)
  customerDeposits: string

  @Field(() => DecimalScalar, {
    description: 'Promised to leave accounts, payments of the bank aside.',
  })
  openAuthorisationsOut: string

  @Field(() => DecimalScalar, { description: 'Announced to come to accounts.' })
  openAuthorisationsIn: string

  @Field(() => [LiquidityDay], {
    description: 'From today on; money leaves as early and comes as late as it may.',
  })
  days: LiquidityDay[]
}
