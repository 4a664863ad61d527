import { connectionOf, id, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { resumeProvisioningRun, startProvisioningRun } from '../commands/provisioning-run.ts'
import { ImpairmentStage } from '../model/enumerations.ts'
import { ProvisionItem } from '../model/provision.ts'
import {
  ProvisioningRun,
  ProvisioningTotal,
  StartProvisioningRunInput,
} from '../model/provisioning-run.ts'
import { ProvisioningTable } from '../model/provisioning-table.ts'
import { listItems } from '../store/provision.ts'
import { loadRun, provisioningRuns } from '../store/provisioning-run.ts'
import { loadTable } from '../store/provisioning-table.ts'
import { readTotalsOfRun, type TotalRow } from '../store/report.ts'

export const ProvisioningRunOperations = resolverOf({
  queries: {
    provisioningRun: lookup(ProvisioningRun, {
      description: 'Returns a provisioning run. Not available to delegated users.',
      scope: 'provisioning:read',
      isForBankOnly: true,
      find: loadRun,
    }),
    provisioningRuns: listing(ProvisioningRun, {
      description:
        'Returns provisioning runs in the order in which they were requested. Not available to ' +
        'delegated users.',
      scope: 'provisioning:read',
      isForBankOnly: true,
      list: (context, _, after, take) => provisioningRuns.list(context, {}, after, take),
      sortKey: provisioningRuns.sortKey,
    }),
  },
  mutations: {
    startProvisioningRun: operation({
      description:
        'Starts a provisioning run for a month that has ended. The run is processed ' +
        'asynchronously. Facilities that were provided for in the month are skipped. A dry run ' +
        'computes and books nothing. Not available to delegated users.',
      scope: 'provisioning:write',
      returns: ProvisioningRun,
      args: { input: object(StartProvisioningRunInput, 'The run to start.') },
      resolve: (context, { input }) => startProvisioningRun(context, input),
    }),
    resumeProvisioningRun: operation({
      description:
        'Resumes a failed provisioning run from the page of facilities at which it stopped. Not ' +
        'available to delegated users.',
      scope: 'provisioning:write',
      returns: ProvisioningRun,
      args: { provisioningRunId: id('The ID of the failed run.') },
      resolve: (context, { provisioningRunId }) =>
        resumeProvisioningRun(context, provisioningRunId),
    }),
  },
})

/** Returns a total as the graph has it. */
export function totalOut({ exposureMinor, allowanceMinor, changeMinor, ...row }: TotalRow) {
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency: row.currency })
  return {
    ...row,
    exposure: money(exposureMinor),
    allowance: money(allowanceMinor),
    change: money(changeMinor),
  }
}

@Resolver(() => ProvisioningRun)
export class ProvisioningRunResolver {
  @FieldResolver(() => ProvisioningTable, {
    nullable: true,
    description: 'The table that the run applies; null before the run has started.',
  })
  table(
    @Root() { provisioningTableId }: ProvisioningRun,
    @Ctx() context: Context,
  ): Promise<ProvisioningTable | null> | null {
    return provisioningTableId === null ? null : loadTable(context, provisioningTableId)
  }

  @FieldResolver(() => [ProvisioningTotal], {
    description: 'The results so far, by segment, stage and currency.',
  })
  async totals(@Root() { provisioningRunId }: ProvisioningRun, @Ctx() context: Context) {
    return (await readTotalsOfRun(context, provisioningRunId)).map(totalOut)
  }

  @FieldResolver(() => connectionOf(ProvisionItem), {
    description: 'The results for each facility, in the order of the facility IDs.',
  })
  items(
    @Root() { provisioningRunId }: ProvisioningRun,
    @Arg('stage', () => ImpairmentStage, {
      nullable: true,
      description: 'Returns only facilities in this stage.',
    })
    stage: ImpairmentStage | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<ProvisionItem>> {
    return readPage(
      context,
      'provisioningRunItems',
      { provisioningRunId, stage: stage ?? null },
      { first, after },
      (cursor, take) => listItems(context, provisioningRunId, stage ?? null, cursor, take),
      ({ provisionId }) => [provisionId],
    )
  }
}
