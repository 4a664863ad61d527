import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { proposeErasure, requireErasable, requireSecondPerson } from '../commands/erasure.ts'
import { subjectOf } from '../domain/data-subject.ts'
import {
  ErasureLine,
  ErasureRequest,
  erasureStates,
  ErasureState,
  ProposeErasureInput,
} from '../model/erasure.ts'
import { erasureKind, erasureRequests, listErasureLines } from '../store/erasure.ts'

export const ErasureOperations = resolverOf({
  queries: {
    erasureRequest: lookup(ErasureRequest, {
      description: 'Returns an erasure request with its report.',
      scope: 'privacy:read',
      isForBankOnly: true,
      find: erasureRequests.load,
    }),
    erasureRequests: listing(ErasureRequest, {
      description: 'Returns erasure requests, oldest first.',
      scope: 'privacy:read',
      isForBankOnly: true,
      filters: {
        partyId: id('Returns only requests for this party.').orNull(),
        state: oneOf(ErasureState, 'Returns only requests in this state.').orNull(),
      },
      ...erasureRequests,
    }),
  },
  mutations: {
    proposeErasure: operation({
      description:
        'Proposes to erase the data of a party or of a former employee, as far as no law requires ' +
        'the bank to keep it (GDPR article 17). Another person approves it with ' +
        '`approveErasure`. Rejected with `ERASURE_BLOCKED` while the party is open or has open ' +
        'business, or the employee has not left.',
      scope: 'privacy:write',
      isForBankOnly: true,
      returns: ErasureRequest,
      args: { input: object(ProposeErasureInput, 'The erasure to propose.') },
      resolve: (context, { input }) => proposeErasure(context, input),
    }),
    ...transitionsOf(erasureStates, changeOf(erasureKind), {
      async approveErasure(approved, { context, before }) {
        await requireSecondPerson(context, before)
        await requireErasable(context, subjectOf(before))
        return approved
      },
      async rejectErasure(rejected, { context, before }) {
        await requireSecondPerson(context, before)
        return rejected
      },
    }),
  },
})

@Resolver(() => ErasureRequest)
export class ErasureRequestResolver {
  @FieldResolver(() => [ErasureLine], {
    description:
      'The report: what was done with each kind of data, in the order in which it was done. ' +
      'Incomplete while the erasure is approved.',
  })
  lines(
    @Root() { erasureRequestId }: ErasureRequest,
    @Ctx() context: Context,
  ): Promise<ErasureLine[]> {
    return listErasureLines(context, erasureRequestId)
  }
}
