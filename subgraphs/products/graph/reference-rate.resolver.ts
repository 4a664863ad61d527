import { requireFound } from '../../../kernel/authorization/auth.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { connectionOf, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { createReferenceRate, recordReferenceRateFixings } from '../commands/reference-rate.ts'
import {
  CreateReferenceRateInput,
  RecordReferenceRateFixingsInput,
  ReferenceRate,
  ReferenceRateFixing,
} from '../model/reference-rate.ts'
import {
  listFixings,
  listReferenceRates,
  loadReferenceRate,
  referenceRateTable,
} from '../store/reference-rate.ts'

export const ReferenceRateOperations = resolverOf({
  queries: {
    referenceRate: lookup(ReferenceRate, {
      description: 'Returns a reference rate.',
      scope: 'products:read',
      find: async (context, id) =>
        requireFound(await loadReferenceRate(context, id), 'REFERENCE_RATE_NOT_FOUND', id),
    }),
    referenceRates: listing(ReferenceRate, {
      description: 'Lists reference rates in the order in which they were created.',
      scope: 'products:read',
      list: (context, _, after, take) => listReferenceRates(context, after, take),
      sortKey: referenceRateTable.sortKey,
    }),
  },
  mutations: {
    createReferenceRate: operation({
      description:
        'Creates a reference rate, to which products can tie the rates of loans. Not available to ' +
        'delegated users.',
      scope: 'products:write',
      isForBankOnly: true,
      returns: ReferenceRate,
      args: { input: object(CreateReferenceRateInput, 'The reference rate to create.') },
      resolve: (context, { input }) => createReferenceRate(context, input),
    }),
    recordReferenceRateFixings: operation({
      description:
        'Records fixings of a reference rate, all of them or none. A fixing that is recorded already ' +
        'with the same rate is left as it is, so a file can be sent again. With `correctionReason`, ' +
        'recorded fixings are corrected; loans that were reset with them keep their rate until the ' +
        'next reset. Not available to delegated users.',
      scope: 'products:write',
      isForBankOnly: true,
      returns: ReferenceRate,
      args: { input: object(RecordReferenceRateFixingsInput, 'The fixings to record.') },
      resolve: (context, { input }) => recordReferenceRateFixings(context, input),
    }),
  },
})

@Resolver(() => ReferenceRate)
export class ReferenceRateResolver {
  @FieldResolver(() => ReferenceRateFixing, {
    nullable: true,
    description: 'The last fixing that is not for a day after today; null if there is none.',
  })
  async latestFixing(
    @Root() { referenceRateId }: ReferenceRate,
    @Ctx() context: Context,
  ): Promise<ReferenceRateFixing | null> {
    const until = dateOf(context.now())
    const [latest] = await listFixings(context, referenceRateId, { until, before: null, take: 1 })
    return latest ?? null
  }

  @FieldResolver(() => connectionOf(ReferenceRateFixing), {
    description: 'The fixings, newest first.',
  })
  fixings(
    @Root() { referenceRateId }: ReferenceRate,
    @Arg('until', () => LocalDateScalar, {
      nullable: true,
      description: 'Returns only fixings for this day and earlier days.',
    })
    until: LocalDate | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<ReferenceRateFixing>> {
    return readPage(
      context,
      'referenceRateFixings',
      { referenceRateId, until: until ?? null },
      { first, after },
      (from, take) =>
        listFixings(context, referenceRateId, {
          until: until ?? null,
          before: from?.[0] ?? null,
          take,
        }),
      ({ fixedOn }) => [fixedOn],
    )
  }
}
