import {
  type EndOfDayRun as Run,
  EndOfDayPosition,
  LendingFinding,
  EndOfDayRunConnection,
} from '../../model/servicing/end-of-day.ts'
import { Ctx, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../../kernel/graph/connection.ts'
import { checkLending } from '../../store/servicing/check.ts'
import { lastBusinessDate } from '../../workers/servicing/end-of-day.ts'
import { listRuns } from '../../store/servicing/end-of-day.ts'
import { readPosition } from '../../store/servicing/end-of-day-position.ts'

/** Queries over all facilities. They are not available to delegated users. */
@Resolver()
export class EndOfDayResolver {
  @Requires('operations:read')
  @Query(() => EndOfDayRunConnection, {
    description:
      'Lists the end-of-day runs, newest business date first. Not available to delegated users.',
  })
  endOfDayRuns(
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
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
    description:
      'Returns the progress of the end-of-day run over all facilities. Not available to ' +
      'delegated users.',
  })
  endOfDayPosition(@Ctx() context: Context): Promise<EndOfDayPosition> {
    requireBank(context)
    return readPosition(context, lastBusinessDate(context))
  }

  @Requires('operations:read')
  @Query(() => [LendingFinding], {
    description:
      'Checks every facility against the ledger, its installments and its drawdowns. Returns at ' +
      'most 100 violations of each invariant; the list is empty if there are none. Not available ' +
      'to delegated users.',
  })
  lendingFindings(@Ctx() context: Context): Promise<LendingFinding[]> {
    requireBank(context)
    return checkLending(context)
  }
}
