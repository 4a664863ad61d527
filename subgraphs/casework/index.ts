import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { deleteDiscarded, eraseDocuments, watchDeadlines } from './workers/clock.ts'
import './events.ts'
import './personal-data.ts'
import {
  CaseEntryResolver,
  CaseOperations,
  CaseResolver,
  PartyCasesResolver,
} from './graph/case.resolver.ts'
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

type Load = (context: Context, id: string) => Promise<object | null>

/** Returns a reference resolver of a federated entity. The resolver requires `cases:read`. */
const reference =
  (key: string, load: Load) => (representation: Record<string, string>, context: Context) => {
    requireScope(context.caller, 'cases:read')
    return load(context, representation[key]!)
  }

/** The casework subgraph: cases and documents. */
export const casework: Subgraph = {
  name: 'casework',
  resolvers: [
    CaseOperations,
    CaseResolver,
    CaseEntryResolver,
    PartyCasesResolver,
    DocumentOperations,
    DocumentResolver,
    DocumentVersionResolver,
    CaseDocumentsResolver,
    PartyDocumentsResolver,
  ],
  types: [],
  references: {
    Case: reference('caseId', loadCase),
    Document: reference('documentId', loadDocument),
    Party: ({ partyId }: { partyId: string }) => ({ partyId }),
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
