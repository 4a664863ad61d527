import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { deleteDiscarded, eraseDocuments, watchClocks } from './clock-workers.ts'
import './events.ts'
import { CaseEntryResolver, CaseResolver, PartyCasesResolver } from './graph/case.resolver.ts'
import { CaseActsResolver } from './graph/case-acts.resolver.ts'
import {
  CaseDocumentsResolver,
  DocumentResolver,
  DocumentVersionResolver,
  PartyDocumentsResolver,
} from './graph/document.resolver.ts'
import { openEstateCases } from './estate-worker.ts'
import { followSearches, routeCases } from './routing-workers.ts'
import { loadCase } from './store/case.ts'
import { loadDocument } from './store/document.ts'

type Load = (context: Context, id: string) => Promise<object | null>

/** Resolves a federated entity under the same scope as the query that returns it. */
const reference =
  (key: string, load: Load) => (found: Record<string, string>, context: Context) => {
    requireScope(context.caller, 'cases:read')
    return load(context, found[key]!)
  }

/** Cases, Documents. */
export const casework: Subgraph = {
  name: 'casework',
  resolvers: [
    CaseResolver,
    CaseActsResolver,
    CaseEntryResolver,
    PartyCasesResolver,
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
    watchClocks,
    eraseDocuments,
    deleteDiscarded,
    openEstateCases,
  ],
}
