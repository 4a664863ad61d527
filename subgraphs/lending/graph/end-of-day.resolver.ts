import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { checkLending } from '../check.ts'
import type { EndOfDayRun as Run } from '../domain/end-of-day.ts'
import { lastBusinessDate } from '../end-of-day.ts'
import { listRuns } from '../store/end-of-day.ts'
import { readPosition } from '../store/end-of-day-position.ts'
import { EndOfDayPosition, EndOfDayRunConnection, LendingFinding } from './end-of-day.types.ts'

/** The loan books as a whole; for the bank alone. */
@Resolver()
export class EndOfDayResolver {
  @Requires('operations:read')
  @Query(() => EndOfDayRunConnection, {
    description: 'Ends of business days, the latest first. For the bank.',
  })
  endOfDayRuns(
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Run>> {
    requireBank(context)
    return readPage(
      context,
      'endOfDayRuns',
      {},
      { first, after },
      (from, take) => listRuns(context, from, take),
      ({ businessDate }) => [businessDate],
    )
  }

  @Requires('operations:read')
  @Query(() => EndOfDayPosition, {
    description: 'How far the end of day has come, over all facilities. For the bank.',
  })
  endOfDayPosition(@Ctx() context: Context): Promise<EndOfDayPosition> {
    requireBank(context)
    return readPosition(context, lastBusinessDate(context))
  }

  @Requires('operations:read')
  @Query(() => [LendingFinding], {
    description:
      'Compares every facility with the ledger; an empty list is what is expected. For the bank.',
  })
  lendingFindings(@Ctx() context: Context): Promise<LendingFinding[]> {
    requireBank(context)
    return checkLending(context)
  }
}
