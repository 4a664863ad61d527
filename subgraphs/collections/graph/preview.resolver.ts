import { id } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { previewRun } from '../commands/preview.ts'
import { accountOf, facilityOf } from '../domain/contract.ts'
import {
  CollectionsPreview,
  CollectionsPreviewItem,
  CollectionsStepCount,
} from '../model/preview.ts'
import { AccountArrangementStub, FacilityStub, PartyStub } from '../model/references.ts'
import { CollectionsStrategy } from '../model/strategy.ts'
import { loadStrategy } from '../store/strategy.ts'

export const CollectionsPreviewOperations = resolverOf({
  queries: {
    collectionsPreview: operation({
      description:
        'Returns what the next nightly run would do: the steps with their numbers, the pauses and ' +
        'the contracts. Not available to delegated users.',
      scope: 'collections:read',
      isForBankOnly: true,
      returns: CollectionsPreview,
      args: {
        collectionsStrategyId: id(
          'Considers only the contracts to which this strategy would apply if it were approved and ' +
            'in effect. By default, all contracts are considered with their approved strategies.',
        ).orNull(),
      },
      resolve: (context, { collectionsStrategyId }) => previewRun(context, collectionsStrategyId),
    }),
  },
})

@Resolver(() => CollectionsStepCount)
export class CollectionsStepCountResolver {
  @FieldResolver(() => CollectionsStrategy, {
    nullable: true,
    description: 'The strategy to which the step belongs.',
  })
  strategy(
    @Root() { strategyId }: CollectionsStepCount,
    @Ctx() context: Context,
  ): Promise<CollectionsStrategy | null> {
    return loadStrategy(context, strategyId)
  }
}

@Resolver(() => CollectionsPreviewItem)
export class CollectionsPreviewItemResolver {
  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility in arrears; null for an overdraft.',
  })
  facility(@Root() { contract }: CollectionsPreviewItem): FacilityStub | null {
    const facilityId = facilityOf(contract)
    return facilityId === null ? null : { facilityId }
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account beyond its overdraft limit; null for a facility.',
  })
  arrangement(@Root() { contract }: CollectionsPreviewItem): AccountArrangementStub | null {
    const arrangementId = accountOf(contract)
    return arrangementId === null ? null : { arrangementId }
  }

  @FieldResolver(() => PartyStub, {
    nullable: true,
    description: 'The party that owes the arrears.',
  })
  party(@Root() { partyId }: CollectionsPreviewItem) {
    return { partyId }
  }

  @FieldResolver(() => CollectionsStrategy, {
    nullable: true,
    description: 'The strategy that would apply.',
  })
  strategy(
    @Root() { strategyId }: CollectionsPreviewItem,
    @Ctx() context: Context,
  ): Promise<CollectionsStrategy | null> {
    return loadStrategy(context, strategyId)
  }
}
