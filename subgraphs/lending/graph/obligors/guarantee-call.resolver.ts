import { Requires, requireFound } from '../../../../kernel/authorization/auth.ts'
import { connectionOf, object } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../../kernel/graph/money.types.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../../kernel/graph/transitions.ts'
import { callGuarantee, changeGuaranteeCall } from '../../commands/obligors/guarantee-call.ts'
import {
  CallGuaranteeInput,
  GuaranteeCall,
  guaranteeCallStates,
} from '../../model/obligors/guarantee-call.ts'
import { FacilityObligor } from '../../model/obligors/obligor.ts'
import {
  guaranteeCallSortKey,
  listGuaranteeCalls,
  loadGuaranteeCall,
  loadReceived,
} from '../../store/obligors/guarantee-call.ts'
import { loadObligor } from '../../store/obligors/obligor.ts'

export const GuaranteeCallOperations = resolverOf({
  queries: {
    guaranteeCall: lookup(GuaranteeCall, {
      description: 'Returns a call of a guarantee.',
      scope: 'lending:read',
      find: async (context, id) =>
        requireFound(await loadGuaranteeCall(context, id), 'GUARANTEE_CALL_NOT_FOUND', id),
    }),
  },
  mutations: {
    callGuarantee: operation({
      description:
        'Calls a guarantee: requires an amount from the guarantor by a day. From then on, the ' +
        'guarantor may read the facility and repay it with `recordRepayment`. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: GuaranteeCall,
      args: { input: object(CallGuaranteeInput, 'The call to make.') },
      resolve: (context, { input }) => callGuarantee(context, input),
    }),
    ...transitionsOf(guaranteeCallStates, changeGuaranteeCall),
  },
})

@Resolver(() => GuaranteeCall)
export class GuaranteeCallResolver {
  @FieldResolver(() => FacilityObligor, { nullable: true, description: 'The guarantor.' })
  obligor(
    @Root() { obligorId }: GuaranteeCall,
    @Ctx() context: Context,
  ): Promise<FacilityObligor | null> {
    return loadObligor(context, obligorId)
  }

  @FieldResolver(() => MoneyType, { description: 'The amount that the guarantor has to pay.' })
  amount(@Root() { amountMinor, currency }: GuaranteeCall): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'What the guarantor repaid from its accounts while the call was open, as far as it did not ' +
      'count toward an earlier call. Payments that were reversed do not count.',
  })
  async received(
    @Root() { guaranteeCallId, obligorId, currency }: GuaranteeCall,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const received = await loadReceived(context, obligorId)
    return moneyOut({ amountMinor: received!.byCall.get(guaranteeCallId) ?? 0n, currency })
  }
}

@Resolver(() => FacilityObligor)
export class ObligorCallsResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(GuaranteeCall), {
    description: 'The calls of the guarantee in the order in which they were made.',
  })
  guaranteeCalls(
    @Root() { obligorId }: FacilityObligor,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'guaranteeCalls',
      { obligorId },
      { first, after },
      (from, take) => listGuaranteeCalls(context, obligorId, from, take),
      guaranteeCallSortKey,
    )
  }
}
