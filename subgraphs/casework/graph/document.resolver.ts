import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import * as commands from '../commands/document.ts'
import { holdDocument, releaseDocument } from '../commands/legal-hold.ts'
import { readingAddress } from '../contents/address.ts'
import { erasedName, partiesThatMaySee } from '../domain/document.ts'
import { Case } from '../model/case.ts'
import {
  AddDocumentVersionInput,
  AttachDocumentInput,
  Document,
  DocumentDownload,
  DocumentUpload,
  DocumentVersion,
  LegalHold,
  PlaceLegalHoldInput,
  RequestDocumentUploadInput,
} from '../model/document.ts'
import { Party } from '../model/references.ts'
import { loadCase } from '../store/case.ts'
import { documentTable, listDocuments, loadDocument } from '../store/document.ts'

export const DocumentOperations = resolverOf({
  queries: {
    document: lookup(Document, {
      description: 'Returns a document.',
      scope: 'cases:read',
      async find(context, documentId) {
        const found = await loadDocument(context, documentId)
        return requireVisible(context, found, partiesThatMaySee, 'DOCUMENT_NOT_FOUND', documentId)
      },
    }),
    documents: listing(Document, {
      description:
        'Returns documents in the order in which they were attached. Delegated users get only ' +
        'documents that are shared with them.',
      scope: 'cases:read',
      filters: {
        partyId: id('Returns only documents of this party.').orNull(),
        caseId: id('Returns only documents of this case.').orNull(),
      },
      list: listDocuments,
      sortKey: documentTable.sortKey,
    }),
  },
  mutations: {
    requestDocumentUpload: operation({
      description:
        'Creates a link for uploading one file of up to 10 MiB. Files that are not attached ' +
        'within 70 minutes are deleted.',
      scope: 'cases:write',
      returns: DocumentUpload,
      args: { input: object(RequestDocumentUploadInput, 'The file to upload.') },
      resolve: (context, { input }) => commands.requestUpload(context, input),
    }),
    attachDocument: operation({
      description:
        'Attaches a document to a party, a case or both. A document from a customer resumes a ' +
        'case that waits for the customer.',
      scope: 'cases:write',
      returns: Document,
      args: { input: object(AttachDocumentInput, 'The document to attach.') },
      resolve: (context, { input }) => commands.attachDocument(context, input),
    }),
    addDocumentVersion: operation({
      description:
        'Adds a version to a document. Earlier versions are kept. Delegated users can add versions ' +
        'only to documents that they attached, while the case of the document is open.',
      scope: 'cases:write',
      returns: Document,
      args: { input: object(AddDocumentVersionInput, 'The version to add.') },
      resolve: (context, { input }) => commands.addVersion(context, input),
    }),
    placeLegalHold: operation({
      description:
        'Places a legal hold on a document, which prevents its erasure until the hold is released.',
      scope: 'cases:write',
      isForBankOnly: true,
      returns: Document,
      args: { input: object(PlaceLegalHoldInput, 'The legal hold to place.') },
      resolve: (context, { input }) => holdDocument(context, input),
    }),
    releaseLegalHold: operation({
      description:
        'Releases the legal hold on a document, which is then erased when its retention period ends.',
      scope: 'cases:write',
      needsPerson: true,
      isForBankOnly: true,
      returns: Document,
      args: { documentId: id('The ID of the document.') },
      resolve: (context, { documentId }) => releaseDocument(context, documentId),
    }),
  },
})

@Resolver(() => Document)
export class DocumentResolver {
  @FieldResolver(() => DocumentVersion, { description: 'The newest version.' })
  latest(@Root() { versions }: Document): DocumentVersion {
    return versions.at(-1)!
  }

  @FieldResolver(() => LegalHold, {
    nullable: true,
    description: 'The legal hold on the document; null if there is none, and for delegated users.',
  })
  legalHold(@Root() document: Document, @Ctx() { caller }: Context): LegalHold | null {
    const { holdReason: reason, heldBy: by, heldAt: at } = document
    return at === null || caller.partyId !== null ? null : { reason: reason!, by: by!, at }
  }

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party the document belongs to; null if it belongs to a case without a party.',
  })
  party(@Root() { partyId }: Document): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, {
    nullable: true,
    description:
      'The case the document belongs to; null if it belongs to none or the case is not visible ' +
      'to the caller.',
  })
  case(@Root() { caseId }: Document, @Ctx() context: Context) {
    return caseId === null ? null : loadCase(context, caseId)
  }
}

@Resolver(() => DocumentVersion)
export class DocumentVersionResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentDownload, {
    nullable: true,
    description: 'A download link that is valid for five minutes; null if the document was erased.',
  })
  download(@Root() version: DocumentVersion, @Ctx() context: Context) {
    // All versions of an erased document have this file name.
    if (version.fileName === erasedName) return null
    const { contentId, fileName, mediaType, sha256 } = version
    const content = { contentId, fileName, mediaType, sha256 }
    return readingAddress(context.bank, content, context.now())
  }
}

@Resolver(() => Case)
export class CaseDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Document), {
    nullable: true,
    description: 'The documents of the case, in the order in which they were attached.',
  })
  documents(
    @Root() { caseId }: Case,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Document>> {
    return documentPage(context, { partyId: null, caseId }, { first, after })
  }
}

@Resolver(() => Party)
export class PartyDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => connectionOf(Document), {
    nullable: true,
    description: 'The documents of the party, in the order in which they were attached.',
  })
  documents(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Document>> {
    return documentPage(context, { partyId, caseId: null }, { first, after })
  }
}

/** Returns one page of the documents of a party or a case. */
function documentPage(
  context: Context,
  filter: { partyId: string | null; caseId: string | null },
  page: PageRequest,
): Promise<Page<Document>> {
  return readPage(
    context,
    'documents',
    filter,
    page,
    (after, take) => listDocuments(context, filter, after, take),
    documentTable.sortKey,
  )
}
