import { FlowKind } from './enumerations.ts'
import {
  currency,
  date,
  decimal,
  instant,
  list,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { DirectionEnum } from './posting.ts'

export const LiquidityFlow = shape(
  'LiquidityFlow',
  'The expected cash flow of one kind in one direction on one day.',
  {
    kind: oneOf(FlowKind, 'The cause of the cash flow.'),
    direction: oneOf(
      DirectionEnum,
      'Whether the nostro account is expected to receive (`IN`) or to pay (`OUT`).',
    ),
    amount: decimal('The amount, always positive.'),
  },
)
export type LiquidityFlow = TypeOf<typeof LiquidityFlow>

export const LiquidityDay = shape(
  'LiquidityDay',
  'The expected cash flows of a day, and the projected balance of the nostro account at the ' +
    'end of the day.',
  {
    date: date('The day of the projection.'),
    inflow: decimal('The total amount that the nostro account is expected to receive on the day.'),
    outflow: decimal('The total amount that the nostro account is expected to pay on the day.'),
    nostro: decimal('The projected balance of the nostro account at the end of the day.'),
    flows: list(object(LiquidityFlow), 'The expected cash flows by kind and direction.'),
  },
)
export type LiquidityDay = TypeOf<typeof LiquidityDay>

export const LiquidityPosition = shape(
  'LiquidityPosition',
  'The liquidity of the bank in one currency: what it holds, what it owes its customers, ' +
    'and the cash flows it expects.',
  {
    currency: currency('The currency of the position.'),
    asOf: instant('The time at which the position was computed, in UTC.'),
    nostro: decimal('The balance of the nostro account.'),
    inTransit: decimal(
      'The balance of money in transit. A positive amount is owed by other banks. A negative ' +
        'amount was debited from accounts and has not been paid from the nostro account yet.',
    ),
    customerDeposits: decimal("The booked balance of all customers' accounts."),
    openAuthorizationsOut: decimal(
      'The amount of open authorizations to debit accounts, excluding the authorizations that ' +
        'the bank makes for payments.',
    ),
    openAuthorizationsIn: decimal('The amount of open authorizations to credit accounts.'),
    days: list(
      object(LiquidityDay),
      'The projection day by day, starting today. It assumes that outflows occur as early as ' +
        'possible and inflows as late as possible.',
    ),
  },
)
export type LiquidityPosition = TypeOf<typeof LiquidityPosition>
