import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import {
  ArrangementCollectionsResolver,
  CollectionsEpisodeOperations,
  CollectionsEpisodeResolver,
  CollectionsStepResolver,
  FacilityCollectionsResolver,
} from './graph/episode.resolver.ts'
import {
  CollectionsPreviewItemResolver,
  CollectionsPreviewOperations,
  CollectionsStepCountResolver,
} from './graph/preview.resolver.ts'
import { CollectionsStrategyOperations } from './graph/strategy.resolver.ts'
import {
  AccountArrangementStub,
  CaseStub,
  DocumentStub,
  FacilityStub,
  NotificationStub,
  PartyStub,
} from './model/references.ts'
import { loadEpisode } from './store/episode.ts'
import { loadStrategy } from './store/strategy.ts'
import { closeCases, closeEpisodes, decideSteps, takeSteps } from './workers/collect.ts'
import { storeLetters, storeRemainingLetters } from './workers/store-letters.ts'

const readsCollections = 'collections:read'

/** The collections subgraph: strategies, and the pursuit of the arrears of loans and overdrafts. */
export const collections: Subgraph = {
  name: 'collections',
  resolvers: [
    CollectionsStrategyOperations,
    CollectionsEpisodeOperations,
    CollectionsEpisodeResolver,
    CollectionsStepResolver,
    CollectionsPreviewOperations,
    CollectionsPreviewItemResolver,
    CollectionsStepCountResolver,
    FacilityCollectionsResolver,
    ArrangementCollectionsResolver,
  ],
  types: [
    AccountArrangementStub,
    CaseStub,
    DocumentStub,
    FacilityStub,
    NotificationStub,
    PartyStub,
  ],
  references: {
    CollectionsStrategy: referenceTo(readsCollections, 'collectionsStrategyId', loadStrategy),
    CollectionsEpisode: referenceTo(readsCollections, 'collectionsEpisodeId', loadEpisode),
    Facility: referenceByKey('facilityId'),
    AccountArrangement: referenceByKey('arrangementId'),
  },
  workers: [decideSteps, takeSteps, storeLetters, storeRemainingLetters, closeEpisodes, closeCases],
}
