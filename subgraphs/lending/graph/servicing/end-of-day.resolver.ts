import { listing, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { EndOfDayPosition, EndOfDayRun, LendingFinding } from '../../model/servicing/end-of-day.ts'
import { checkLending } from '../../store/servicing/check.ts'
import { listRuns } from '../../store/servicing/end-of-day.ts'
import { readPosition } from '../../store/servicing/end-of-day-position.ts'
import { lastBusinessDate } from '../../workers/servicing/end-of-day.ts'

/** Queries over all facilities. They are not available to delegated users. */
export const EndOfDayOperations = resolverOf({
  queries: {
    endOfDayRuns: listing(EndOfDayRun, {
      description:
        'Lists the end-of-day runs, newest business date first. Not available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      list: (context, _, after, take) => listRuns(context, after, take),
      sortKey: ({ businessDate }) => [businessDate],
    }),
    endOfDayPosition: operation({
      description:
        'Returns the progress of the end-of-day run over all facilities. Not available to ' +
        'delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: EndOfDayPosition,
      args: {},
      resolve: (context) => readPosition(context, lastBusinessDate(context)),
    }),
    lendingFindings: operation({
      description:
        'Checks every facility against the ledger, its installments and its drawdowns. Returns ' +
        'at most 100 violations of each invariant; the list is empty if there are none. Not ' +
        'available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: [LendingFinding],
      args: {},
      resolve: checkLending,
    }),
  },
})
