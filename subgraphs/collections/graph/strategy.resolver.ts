import { object, oneOf } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf, type Decide } from '../../../kernel/graph/transitions.ts'
import { proposeStrategy, requireOtherProposer } from '../commands/strategy.ts'
import { CollectionsStrategyStatus } from '../model/enumerations.ts'
import {
  CollectionsStrategy,
  collectionsStrategyStates,
  ProposeCollectionsStrategyInput,
} from '../model/strategy.ts'
import { loadStrategy, strategies, strategyKind } from '../store/strategy.ts'

/** The person who proposed a strategy cannot decide on it. */
const decide: Decide<CollectionsStrategy> = async (decided, { context, before }) => {
  await requireOtherProposer(context, before)
  return decided
}

export const CollectionsStrategyOperations = resolverOf({
  queries: {
    collectionsStrategy: lookup(CollectionsStrategy, {
      description: 'Returns a collections strategy. Not available to delegated users.',
      scope: 'collections:read',
      isForBankOnly: true,
      find: loadStrategy,
    }),
    collectionsStrategies: listing(CollectionsStrategy, {
      description:
        'Returns collections strategies in the order in which they were proposed. Not available to ' +
        'delegated users.',
      scope: 'collections:read',
      isForBankOnly: true,
      filters: {
        status: oneOf(
          CollectionsStrategyStatus,
          'Returns only strategies with this status.',
        ).orNull(),
      },
      ...strategies,
    }),
  },
  mutations: {
    proposeCollectionsStrategy: operation({
      description:
        'Proposes the steps by which the bank pursues arrears, for a product, a segment or all ' +
        'contracts. Another person has to approve them. Not available to delegated users.',
      scope: 'collections:write',
      returns: CollectionsStrategy,
      args: { input: object(ProposeCollectionsStrategyInput, 'The strategy to propose.') },
      resolve: (context, { input }) => proposeStrategy(context, input),
    }),
    ...transitionsOf<CollectionsStrategy, typeof collectionsStrategyStates>(
      collectionsStrategyStates,
      changeOf(strategyKind),
      { approveCollectionsStrategy: decide, rejectCollectionsStrategy: decide },
    ),
  },
})
