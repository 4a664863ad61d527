import {
  DocumentVersion,
  AddDocumentVersionInput,
  AttachDocumentInput,
  Document,
  DocumentConnection,
  DocumentDownload,
  DocumentUpload,
  LegalHold,
  PlaceLegalHoldInput,
  RequestDocumentUploadInput,
} from '../model/document.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { maySee, Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../kernel/graph/connection.ts'
import { readingAddress } from '../contents/address.ts'
import * as commands from '../commands/document.ts'
import { partiesThatMaySee, type Document as Domain } from '../domain/document.ts'
import * as domain from '../domain/document.ts'
import { loadCase } from '../store/case.ts'
import { documentTable, listDocuments, loadDocument } from '../store/document.ts'
import { Case } from '../model/case.ts'
import { Party } from '../model/references.ts'

@Resolver(() => Document)
export class DocumentResolver {
  @Requires('cases:read')
  @Query(() => Document, { description: 'Returns a document.' })
  async document(
    @Arg('documentId', () => ID, { description: 'The ID of the document.' }) documentId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadDocument(context, documentId)
    return requireVisible(context, found, partiesThatMaySee, 'DOCUMENT_NOT_FOUND', documentId)
  }

  @Requires('cases:read')
  @Query(() => DocumentConnection, {
    description:
      'Returns documents in the order in which they were attached. Delegated users get only ' +
      'documents that are shared with them.',
  })
  documents(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Returns only documents of this party.',
    })
    partyId: string | null,
    @Arg('caseId', () => ID, {
      nullable: true,
      description: 'Returns only documents of this case.',
    })
    caseId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { partyId, caseId }, { first, after })
  }

  @Requires('cases:write')
  @Mutation(() => DocumentUpload, {
    description:
      'Creates a link for uploading one file of up to 10 MiB. Files that are not attached ' +
      'within 70 minutes are deleted.',
  })
  requestDocumentUpload(
    @Arg('input', () => RequestDocumentUploadInput, { description: 'The file to upload.' })
    input: RequestDocumentUploadInput,
    @Ctx() context: Context,
  ): Promise<commands.Upload> {
    return commands.requestUpload(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, {
    description:
      'Attaches a document to a party, a case or both. A document from a customer resumes a case ' +
      'that waits for the customer.',
  })
  attachDocument(
    @Arg('input', () => AttachDocumentInput, { description: 'The document to attach.' })
    input: AttachDocumentInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.attachDocument(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, {
    description: 'Adds a version to a document. Earlier versions are kept.',
  })
  addDocumentVersion(
    @Arg('input', () => AddDocumentVersionInput, { description: 'The version to add.' })
    input: AddDocumentVersionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.addVersion(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, {
    description:
      'Places a legal hold on a document, which prevents its erasure until the hold is released.',
  })
  placeLegalHold(
    @Arg('input', () => PlaceLegalHoldInput, { description: 'The legal hold to place.' })
    input: PlaceLegalHoldInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.holdDocument(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, {
    description:
      'Releases the legal hold on a document, which is then erased when its retention period ends.',
  })
  releaseLegalHold(
    @Arg('documentId', () => ID, { description: 'The ID of the document.' }) documentId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.releaseDocument(context, documentId)
  }

  @FieldResolver(() => DocumentVersion, { description: 'The newest version.' })
  latest(@Root() { versions }: Domain): DocumentVersion {
    return versions.at(-1)!
  }

  @FieldResolver(() => LegalHold, {
    nullable: true,
    description: 'The legal hold on the document; null if there is none, and for delegated users.',
  })
  legalHold(@Root() document: Domain, @Ctx() { caller }: Context): LegalHold | null {
    const { holdReason: reason, heldBy: by, heldAt: at } = document
    return at === null || caller.partyId !== null ? null : { reason: reason!, by: by!, at }
  }

  @FieldResolver(() => Party, {
    nullable: true,
    description: 'The party the document belongs to; null if it belongs to a case without a party.',
  })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, {
    nullable: true,
    description:
      'The case the document belongs to; null if it belongs to none or the case is not visible ' +
      'to the caller.',
  })
  case(@Root() { caseId }: Domain, @Ctx() context: Context) {
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
    if (version.fileName === domain.erasedName) return null
    const { contentId, fileName, mediaType, sha256 } = version
    const content = { contentId, fileName, mediaType, sha256 }
    return readingAddress(context.bank, content, context.now())
  }
}

@Resolver(() => Case)
export class CaseDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentConnection, {
    nullable: true,
    description: 'The documents of the case, in the order in which they were attached.',
  })
  documents(
    @Root() { caseId }: Case,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { caseId }, { first, after })
  }
}

@Resolver(() => Party)
export class PartyDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentConnection, {
    nullable: true,
    description: 'The documents of the party, in the order in which they were attached.',
  })
  documents(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { partyId }, { first, after })
  }
}

/** Returns one page of the documents that the caller may read. */
function documentPage(
  context: Context,
  request: { partyId?: string | null; caseId?: string | null },
  page: PageRequest,
): Promise<Page<Domain>> {
  const filter = {
    partyId: request.partyId ?? context.caller.partyId,
    caseId: request.caseId ?? null,
  }
  const isVisible = maySee(context.caller, [filter.partyId])
  return readPage(
    context,
    'documents',
    filter,
    page,
    async (after, take) => (isVisible ? listDocuments(context, filter, after, take) : []),
    documentTable.sortKey,
  )
}
