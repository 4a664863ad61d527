import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { deleteDiscarded, eraseDocuments, watchDeadlines } from './workers/clock.ts'
import './events.ts'
import './personal-data.ts'
import { CaseOperations, CaseResolver, PartyCasesResolver } from './graph/case.resolver.ts'
import {
  CaseDocumentsResolver,
  DocumentOperations,
  DocumentResolver,
  DocumentVersionResolver,
  PartyDocumentsResolver,
} from './graph/document.resolver.ts'
import { openEstateCases } from './workers/estate.ts'
import { followSearches, routeCases } from './workers/routing.ts'
import { loadCase } from './store/case.ts'
import { loadDocument } from './store/document.ts'

/** The casework subgraph: cases and documents. */
export const casework: Subgraph = {
  name: 'casework',
  resolvers: [
    CaseOperations,
    CaseResolver,
    PartyCasesResolver,
    DocumentOperations,
    DocumentResolver,
    DocumentVersionResolver,
    CaseDocumentsResolver,
    PartyDocumentsResolver,
  ],
  types: [],
  references: {
    Case: referenceTo('cases:read', 'caseId', loadCase),
    Document: referenceTo('cases:read', 'documentId', loadDocument),
    Party: referenceByKey('partyId'),
  },
  workers: [
    routeCases,
    followSearches,
    watchDeadlines,
    eraseDocuments,
    deleteDiscarded,
    openEstateCases,
  ],
}
