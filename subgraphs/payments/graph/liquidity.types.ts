import { Field, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LocalDateScalar,
} from '../../../kernel/graph/scalars.ts'
import { flowKinds, type FlowKind } from '../domain/liquidity.ts'
import { DirectionEnum } from './posting.types.ts'

const FlowKindEnum = wireEnum(
  'LiquidityFlowKind',
  flowKinds,
  'The cause of an expected cash flow.',
  {
    payment: 'A payment that has not left the nostro account yet.',
    'standing-order': 'A future payment of a standing order.',
    authorisation: 'An open authorization.',
  },
)

@ObjectType({ description: 'The expected cash flow of one kind in one direction on one day.' })
export class LiquidityFlow {
  @Field(() => FlowKindEnum, { description: 'The cause of the cash flow.' })
  kind: FlowKind

  @Field(() => DirectionEnum, {
    description: 'Whether the nostro account is expected to receive (`IN`) or to pay (`OUT`).',
  })
  direction: 'in' | 'out'

  @Field(() => DecimalScalar, { description: 'The amount, always positive.' })
  amount: string
}

@ObjectType({
  description:
    'The expected cash flows of a day, and the projected balance of the nostro account at the ' +
    'end of the day.',
})
export class LiquidityDay {
  @Field(() => LocalDateScalar, { description: 'The day of the projection.' })
  date: string

  @Field(() => DecimalScalar, {
    description: 'The total amount that the nostro account is expected to receive on the day.',
  })
  inflow: string

  @Field(() => DecimalScalar, {
    description: 'The total amount that the nostro account is expected to pay on the day.',
  })
  outflow: string

  @Field(() => DecimalScalar, {
    description: 'The projected balance of the nostro account at the end of the day.',
  })
  nostro: string

  @Field(() => [LiquidityFlow], { description: 'The expected cash flows by kind and direction.' })
  flows: LiquidityFlow[]
}

@ObjectType({
  description:
    'The liquidity of the bank in one currency: what it holds, what it owes its customers, ' +
    'and the cash flows it expects.',
})
export class LiquidityPosition {
  @Field(() => CurrencyScalar, { description: 'The currency of the position.' })
  currency: string

  @Field(() => DateTimeScalar, {
    description: 'The time at which the position was computed, in UTC.',
  })
  asOf: Date

  @Field(() => DecimalScalar, { description: 'The balance of the nostro account.' })
  nostro: string

  @Field(() => DecimalScalar, {
    description:
      'The balance of money in transit. A positive amount is owed by other banks. A negative ' +
      'amount was debited from accounts and has not been paid from the nostro account yet.',
  })
  inTransit: string

  @Field(() => DecimalScalar, { description: "The booked balance of all customers' accounts." })
  customerDeposits: string

  @Field(() => DecimalScalar, {
    description:
      'The amount of open authorizations to debit accounts, excluding the authorizations that ' +
      'the bank makes for payments.',
  })
  openAuthorizationsOut: string

  @Field(() => DecimalScalar, {
    description: 'The amount of open authorizations to credit accounts.',
  })
  openAuthorizationsIn: string

  @Field(() => [LiquidityDay], {
    description:
      'The projection day by day, starting today. It assumes that outflows occur as early as ' +
      'possible and inflows as late as possible.',
  })
  days: LiquidityDay[]
}
