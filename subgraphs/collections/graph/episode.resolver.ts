import { Requires } from '../../../kernel/authorization/auth.ts'
import { id, oneOf, string } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { retryStep, retrySteps } from '../commands/retry-steps.ts'
import { accountOf, contractOfAccount, contractOfFacility, facilityOf } from '../domain/contract.ts'
import { CollectionsEpisodeStatus, CollectionsPauseReason } from '../model/enumerations.ts'
import {
  CollectionsEpisode,
  CollectionsNextStep,
  CollectionsStep,
  CollectionsStepRetry,
} from '../model/episode.ts'
import {
  AccountArrangementStub,
  CaseStub,
  DocumentStub,
  FacilityStub,
  NotificationStub,
  PartyStub,
} from '../model/references.ts'
import { CollectionsStrategy } from '../model/strategy.ts'
import { episodes, loadEpisode, loadOpenEpisode, loadSteps } from '../store/episode.ts'
import { loadStrategy } from '../store/strategy.ts'

export const CollectionsEpisodeOperations = resolverOf({
  queries: {
    collectionsEpisode: lookup(CollectionsEpisode, {
      description: 'Returns a collections episode. Not available to delegated users.',
      scope: 'collections:read',
      isForBankOnly: true,
      find: loadEpisode,
    }),
    collectionsEpisodes: listing(CollectionsEpisode, {
      description:
        'Returns collections episodes in the order in which they were opened. Not available to ' +
        'delegated users.',
      scope: 'collections:read',
      isForBankOnly: true,
      filters: {
        partyId: id('Returns only episodes of this party.').orNull(),
        facilityId: id('Returns only episodes of this facility.').orNull(),
        arrangementId: id('Returns only episodes of this account.').orNull(),
        status: oneOf(CollectionsEpisodeStatus, 'Returns only episodes with this status.').orNull(),
        pauseReason: oneOf(
          CollectionsPauseReason,
          'Returns only episodes that are paused for this reason.',
        ).orNull(),
      },
      sortKey: episodes.sortKey,
      list: (context, { facilityId, arrangementId, ...filter }, after, take) => {
        const contracts = [
          ...(facilityId === null ? [] : [contractOfFacility(facilityId)]),
          ...(arrangementId === null ? [] : [contractOfAccount(arrangementId)]),
        ]
        // An episode is of one contract, so that none matches both filters.
        if (contracts.length > 1) return Promise.resolve([])
        return episodes.list(context, { ...filter, contract: contracts[0] ?? null }, after, take)
      },
    }),
  },
  mutations: {
    retryCollectionsStep: operation({
      description:
        'Has a failed step carried out again, with the figures of the last nightly run. The episode ' +
        'must be open and not paused. If a letter was sent and only its document was refused, the ' +
        'document is stored again and nothing is sent. Not available to delegated users.',
      scope: 'collections:write',
      returns: CollectionsStep,
      args: { collectionsStepId: id('The ID of the step.') },
      resolve: (context, { collectionsStepId }) => retryStep(context, collectionsStepId),
    }),
    retryCollectionsSteps: operation({
      description:
        'Has steps repeated, as `retryCollectionsStep` does: up to 100 per request, the least recently ' +
        'changed first. Not available to delegated users.',
      scope: 'collections:write',
      isForBankOnly: true,
      returns: CollectionsStepRetry,
      args: {
        failureCode: string('Retries only steps with this problem code.').orNull(),
      },
      resolve: retrySteps,
    }),
  },
})

@Resolver(() => CollectionsEpisode)
export class CollectionsEpisodeResolver {
  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility in arrears; null for an overdraft.',
  })
  facility(@Root() { contract }: CollectionsEpisode): FacilityStub | null {
    const facilityId = facilityOf(contract)
    return facilityId === null ? null : { facilityId }
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account beyond its overdraft limit; null for a facility.',
  })
  arrangement(@Root() { contract }: CollectionsEpisode): AccountArrangementStub | null {
    const arrangementId = accountOf(contract)
    return arrangementId === null ? null : { arrangementId }
  }

  @FieldResolver(() => PartyStub, {
    nullable: true,
    description: 'The party that owes the arrears.',
  })
  party(@Root() { partyId }: CollectionsEpisode) {
    return { partyId }
  }

  @FieldResolver(() => MoneyType, { description: 'The amount past due on `evaluatedOn`.' })
  arrears(@Root() { arrearsMinor: amountMinor, currency }: CollectionsEpisode): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => CollectionsStrategy, {
    nullable: true,
    description: 'The strategy that applied on `evaluatedOn`.',
  })
  strategy(
    @Root() { collectionsStrategyId }: CollectionsEpisode,
    @Ctx() context: Context,
  ): Promise<CollectionsStrategy | null> {
    return loadStrategy(context, collectionsStrategyId)
  }

  @FieldResolver(() => CollectionsNextStep, {
    nullable: true,
    description: 'The step that is taken next if nothing is paid; null if no step is left.',
  })
  nextStep(@Root() { nextStepCode, nextStepOn }: CollectionsEpisode): CollectionsNextStep | null {
    return nextStepCode === null ? null : { code: nextStepCode, on: nextStepOn }
  }

  @FieldResolver(() => [CollectionsStep], {
    description:
      'The steps that were decided, in the order in which they were decided, whether or not they ' +
      'were carried out.',
  })
  async steps(
    @Root() { collectionsEpisodeId }: CollectionsEpisode,
    @Ctx() context: Context,
  ): Promise<CollectionsStep[]> {
    return (await loadSteps(context, collectionsEpisodeId)) ?? []
  }

  @FieldResolver(() => CaseStub, {
    nullable: true,
    description: 'The case that a step opened; null if none was opened.',
  })
  case(@Root() { caseId }: CollectionsEpisode) {
    return caseId === null ? null : { caseId }
  }
}

@Resolver(() => CollectionsStep)
export class CollectionsStepResolver {
  @FieldResolver(() => MoneyType, { description: 'The amount past due on `decidedOn`.' })
  arrears(@Root() { arrearsMinor: amountMinor, currency }: CollectionsStep): MoneyType {
    return moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => NotificationStub, {
    nullable: true,
    description: 'The notification of a letter; null for other steps, and until it is created.',
  })
  notification(@Root() { notificationId }: CollectionsStep) {
    return notificationId === null ? null : { notificationId }
  }

  @FieldResolver(() => DocumentStub, {
    nullable: true,
    description: 'The letter as it was sent, in PDF/A; null until it is stored.',
  })
  document(@Root() { documentId }: CollectionsStep) {
    return documentId === null ? null : { documentId }
  }

  @FieldResolver(() => CaseStub, {
    nullable: true,
    description: 'The case that the step opened or escalated; null for letters.',
  })
  case(@Root() { caseId }: CollectionsStep) {
    return caseId === null ? null : { caseId }
  }
}

const openEpisodeDescription = (of: string) =>
  `The open collections episode of the ${of}; null if there is none, and for delegated users.`

@Resolver(() => FacilityStub)
export class FacilityCollectionsResolver {
  @Requires('collections:read')
  @FieldResolver(() => CollectionsEpisode, {
    nullable: true,
    description: openEpisodeDescription('facility'),
  })
  collectionsEpisode(
    @Root() { facilityId }: FacilityStub,
    @Ctx() context: Context,
  ): Promise<CollectionsEpisode | null> {
    return loadOpenEpisode(context, contractOfFacility(facilityId))
  }
}

@Resolver(() => AccountArrangementStub)
export class ArrangementCollectionsResolver {
  @Requires('collections:read')
  @FieldResolver(() => CollectionsEpisode, {
    nullable: true,
    description: openEpisodeDescription('account'),
  })
  collectionsEpisode(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<CollectionsEpisode | null> {
    return loadOpenEpisode(context, contractOfAccount(arrangementId))
  }
}
