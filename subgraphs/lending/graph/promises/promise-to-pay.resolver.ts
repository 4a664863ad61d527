import { Requires, requireFound } from '../../../../kernel/authorization/auth.ts'
import { connectionOf, id, object, oneOf, type Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../../kernel/graph/transitions.ts'
import { createPromiseToPay } from '../../commands/promises/promise-to-pay.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { PromiseToPayStatus } from '../../model/promises/enumerations.ts'
import {
  CreatePromiseToPayInput,
  PromiseToPay,
  promiseToPayStates,
} from '../../model/promises/promise-to-pay.ts'
import { loadFacility } from '../../store/facilities/facility.ts'
import {
  listPromisesToPay,
  loadOpenPromise,
  loadProgress,
  loadPromiseToPay,
  promiseToPayKind,
  promiseToPaySortKey,
} from '../../store/promises/promise-to-pay.ts'

const statusFilter = oneOf(PromiseToPayStatus, 'Returns only promises with this status.').orNull()

export const PromiseToPayOperations = resolverOf({
  queries: {
    promiseToPay: lookup(PromiseToPay, {
      description: 'Returns a promise to pay.',
      scope: 'lending:read',
      find: async (context, id) =>
        requireFound(await loadPromiseToPay(context, id), 'PROMISE_TO_PAY_NOT_FOUND', id),
    }),
    promisesToPay: listing(PromiseToPay, {
      description: 'Lists promises to pay in the order in which they were recorded.',
      scope: 'lending:read',
      filters: {
        facilityId: id('Returns only promises for this facility.').orNull(),
        status: statusFilter,
      },
      list: listPromisesToPay,
      sortKey: promiseToPaySortKey,
    }),
  },
  mutations: {
    createPromiseToPay: operation({
      description:
        'Records that a borrower promises to pay an amount by a date. Something must be due, and a ' +
        'facility has at most one open promise. The arrears and their late charges continue.',
      scope: 'lending:write',
      returns: PromiseToPay,
      args: { input: object(CreatePromiseToPayInput, 'The promise to record.') },
      resolve: (context, { input }) => createPromiseToPay(context, input),
    }),
    ...transitionsOf(promiseToPayStates, changeOf(promiseToPayKind)),
  },
})

@Resolver(() => PromiseToPay)
export class PromiseToPayResolver {
  @FieldResolver(() => Facility, { description: 'The facility to be paid.' })
  facility(
    @Root() { facilityId }: PromiseToPay,
    @Ctx() context: Context,
  ): Promise<FacilityRecord | null> {
    return loadFacility(context, facilityId)
  }

  @FieldResolver(() => MoneyType, { description: 'The promised amount.' })
  amount(@Root() { amountMinor, currency }: PromiseToPay): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'What was paid since the promise was recorded, with a payment date from `madeOn` to `payBy`. ' +
      'Payments that were reversed do not count.',
  })
  async received(
    @Root() { promiseToPayId, currency }: PromiseToPay,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const progress = await loadProgress(context, promiseToPayId)
    return moneyOut({ amountMinor: progress?.receivedMinor ?? 0n, currency })
  }
}

/** Returns a resolver for the promises to pay of a facility, which `Facility` and `Loan` share. */
function promisesOf(type: Shape) {
  @Resolver(() => type)
  class PromisesResolver {
    @FieldResolver(() => PromiseToPay, {
      nullable: true,
      description: 'The promise to pay that is open; null if there is none.',
    })
    openPromiseToPay(
      @Root() { facilityId }: FacilityRecord,
      @Ctx() context: Context,
    ): Promise<PromiseToPay | null> {
      return loadOpenPromise(context, facilityId)
    }

    @Requires('lending:read')
    @FieldResolver(() => connectionOf(PromiseToPay), {
      description: 'The promises to pay in the order in which they were recorded.',
    })
    promisesToPay(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      const filter = { facilityId, status: null }
      return readPage(
        context,
        'promisesToPay',
        filter,
        { first, after },
        (from, take) => listPromisesToPay(context, filter, from, take),
        promiseToPaySortKey,
      )
    }
  }
  return PromisesResolver
}

export const FacilityPromisesResolver = promisesOf(Facility)
export const LoanPromisesResolver = promisesOf(Loan)
