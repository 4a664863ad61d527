import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { LocalDateScalar } from '../../_kernel/scalars.ts'
import { balanceOf, entriesOf, statementOf } from '../balances.ts'
import type { Arrangement } from '../domain/arrangement.ts'
import { loadArrangement } from '../store.ts'
import { AccountArrangement } from './arrangement.types.ts'
import { AccountBalance, AccountEntryConnection, AccountStatement } from './balance.types.ts'

const asOf = {
  nullable: true,
  description: 'As it was booked at this instant; later bookings never change the answer.',
}
const valueDate = {
  nullable: true,
  description: 'As it counts for interest at the end of this day, whenever it was booked.',
}

@Resolver(() => AccountArrangement)
export class BalanceResolver {
  @Requires('accounts:read')
  @Query(() => AccountBalance, { nullable: true, description: 'What one account holds.' })
  async balance(
    @Arg('arrangementId', () => ID) arrangementId: string,
    @Arg('asOf', () => Date, asOf) at: Date | null,
    @Arg('valueDate', () => LocalDateScalar, valueDate) on: string | null,
    @Ctx() context: Context,
  ): Promise<AccountBalance> {
    const arrangement = await loadArrangement(context, arrangementId)
    if (!arrangement) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
    return balanceOf(context, arrangement, { asOf: at, valueDate: on })
  }

  @FieldResolver(() => [AccountBalance], {
    description: 'What it holds: one balance, in the currency of the account.',
  })
  async balances(
    @Root() arrangement: Arrangement,
    @Arg('asOf', () => Date, asOf) at: Date | null,
    @Arg('valueDate', () => LocalDateScalar, valueDate) on: string | null,
    @Ctx() context: Context,
  ): Promise<AccountBalance[]> {
    return [await balanceOf(context, arrangement, { asOf: at, valueDate: on })]
  }

  @FieldResolver(() => AccountEntryConnection, {
    description: 'Its entries with the running balance, oldest first unless asked otherwise.',
  })
  entries(
    @Root() arrangement: Arrangement,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Arg('newestFirst', () => Boolean, { defaultValue: false }) newestFirst: boolean,
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
    description: 'What was booked in a period of whole days (UTC), both included.',
  })
  statement(
    @Root() arrangement: Arrangement,
    @Arg('from', () => LocalDateScalar) from: string,
    @Arg('to', () => LocalDateScalar) to: string,
    @Ctx() context: Context,
  ): Promise<AccountStatement> {
    return statementOf(context, arrangement, from, to)
  }
}
