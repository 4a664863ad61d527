import { Arrangement } from '../model/arrangement.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { balanceOf, entriesOf, statementOf } from '../store/balance.ts'
import { loadArrangement } from '../store/arrangement.ts'
import { AccountBalance, AccountEntryConnection, AccountStatement } from '../model/balance.ts'

const asOfArgument = {
  nullable: true,
  description:
    'The point in time of the balance: only entries that were booked by then are included. Later ' +
    'bookings do not change the result. Defaults to now.',
}
const valueDateArgument = {
  nullable: true,
  description:
    'The value date of the balance: all entries with a value date up to and including this day ' +
    'are included, whenever they were booked.',
}

@Resolver(() => Arrangement)
export class BalanceResolver {
  @Requires('accounts:read')
  @Query(() => AccountBalance, {
    nullable: true,
    description:
      'Returns the balance of an account: the current balance, the balance at a point in time ' +
      '(`asOf`), or the balance by value date (`valueDate`). Send at most one of `asOf` and ' +
      '`valueDate`.',
  })
  async balance(
    @Arg('arrangementId', () => ID, { description: 'The ID of the account.' })
    arrangementId: string,
    @Arg('asOf', () => Date, asOfArgument) asOf: Date | null,
    @Arg('valueDate', () => LocalDateScalar, valueDateArgument) valueDate: string | null,
    @Ctx() context: Context,
  ): Promise<AccountBalance> {
    const arrangement = await loadArrangement(context, arrangementId)
    if (!arrangement) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
    return balanceOf(context, arrangement, { asOf, valueDate })
  }

  @FieldResolver(() => [AccountBalance], {
    description:
      'The balances of the account. The list has one element, in the currency of the account. ' +
      'Send at most one of `asOf` and `valueDate`.',
  })
  async balances(
    @Root() arrangement: Arrangement,
    @Arg('asOf', () => Date, asOfArgument) asOf: Date | null,
    @Arg('valueDate', () => LocalDateScalar, valueDateArgument) valueDate: string | null,
    @Ctx() context: Context,
  ): Promise<AccountBalance[]> {
    return [await balanceOf(context, arrangement, { asOf, valueDate })]
  }

  @FieldResolver(() => AccountEntryConnection, {
    description:
      'The entries of the account, each with the balance after it. The oldest entry is first by ' +
      'default.',
  })
  entries(
    @Root() arrangement: Arrangement,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Arg('newestFirst', () => Boolean, {
      defaultValue: false,
      description: 'Whether to list the newest entries first. Defaults to false.',
    })
    newestFirst: boolean,
    @Ctx() context: Context,
  ) {
    const { arrangementId } = arrangement
    return readPage(
      context,
      'accountEntries',
      { arrangementId, newestFirst },
      { first, after },
      (from, take) => entriesOf(context, arrangement, from?.[0], take, newestFirst),
      ({ sequence }) => [String(sequence)],
    )
  }

  @FieldResolver(() => AccountStatement, {
    description:
      'The statement of the account for a period of whole days (UTC). Fails with ' +
      '`LIMIT_EXCEEDED` if the period has more than 5,000 entries.',
  })
  statement(
    @Root() arrangement: Arrangement,
    @Arg('from', () => LocalDateScalar, { description: 'The first day of the period.' })
    from: string,
    @Arg('to', () => LocalDateScalar, {
      description:
        'The last day of the period, inclusive: not before `from` and at most 366 days after it.',
    })
    to: string,
    @Ctx() context: Context,
  ): Promise<AccountStatement> {
    return statementOf(context, arrangement, from, to)
  }
}
