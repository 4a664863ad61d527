import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { maySee, Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import { readingAddress } from '../contents/address.ts'
import * as commands from '../document-commands.ts'
import { documentOwners, type Document as Domain } from '../domain/document.ts'
import * as domain from '../domain/document.ts'
import { loadCase } from '../store/case.ts'
import { documentTable, listDocuments, loadDocument } from '../store/document.ts'
import { Case } from './case.types.ts'
import {
  AddDocumentVersionInput,
  AttachDocumentInput,
  Document,
  DocumentConnection,
  DocumentDownload,
  DocumentUpload,
  DocumentVersion,
  LegalHold,
  PlaceLegalHoldInput,
  RequestDocumentUploadInput,
} from './document.types.ts'
import { Party } from './stubs.types.ts'

@Resolver(() => Document)
export class DocumentResolver {
  @Requires('cases:read')
  @Query(() => Document, { description: 'One document.' })
  async document(@Arg('documentId', () => ID) documentId: string, @Ctx() context: Context) {
    const found = await loadDocument(context, documentId)
    return requireVisible(context, found, documentOwners, 'DOCUMENT_NOT_FOUND', documentId)
  }

  @Requires('cases:read')
  @Query(() => DocumentConnection, { description: 'Documents in the order they came.' })
  documents(
    @Arg('partyId', () => ID, { nullable: true }) partyId: string | null,
    @Arg('caseId', () => ID, { nullable: true }) caseId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { partyId, caseId }, { first, after })
  }

  @Requires('cases:write')
  @Mutation(() => DocumentUpload, {
    description: 'Gives out an address that takes one file of up to 10 MiB, once, by PUT.',
  })
  requestDocumentUpload(
    @Arg('input', () => RequestDocumentUploadInput) input: RequestDocumentUploadInput,
    @Ctx() context: Context,
  ): Promise<commands.Upload> {
    return commands.requestUpload(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, { description: 'Keeps a document of a party, of a case, or both.' })
  attachDocument(
    @Arg('input', () => AttachDocumentInput) input: AttachDocumentInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.attachDocument(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, { description: 'Adds a version; those before stay.' })
  addDocumentVersion(
    @Arg('input', () => AddDocumentVersionInput) input: AddDocumentVersionInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.addVersion(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, { description: 'Keeps a document, whatever its class says.' })
  placeLegalHold(
    @Arg('input', () => PlaceLegalHoldInput) input: PlaceLegalHoldInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.holdDocument(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Document, { description: 'Lets a held document go its way again.' })
  releaseLegalHold(
    @Arg('documentId', () => ID) documentId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.releaseDocument(context, documentId)
  }

  @FieldResolver(() => DocumentVersion, { description: 'The newest.' })
  latest(@Root() { versions }: Domain): domain.DocumentVersion {
    return versions.at(-1)!
  }

  @FieldResolver(() => LegalHold, { nullable: true, description: 'Null for delegated users.' })
  legalHold(@Root() document: Domain, @Ctx() { caller }: Context): LegalHold | null {
    const { holdReason: reason, heldBy: by, heldAt: at } = document
    return at === null || caller.partyId !== null ? null : { reason: reason!, by: by!, at }
  }

  @FieldResolver(() => Party, { nullable: true })
  party(@Root() { partyId }: Domain): Party | null {
    return partyId === null ? null : { partyId }
  }

  @FieldResolver(() => Case, { nullable: true })
  case(@Root() { caseId }: Domain, @Ctx() context: Context) {
    return caseId === null ? null : loadCase(context, caseId)
  }
}

@Resolver(() => DocumentVersion)
export class DocumentVersionResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentDownload, {
    nullable: true,
    description: 'An address that is good for five minutes; null when the document is erased.',
  })
  download(@Root() version: domain.DocumentVersion, @Ctx() context: Context) {
    // Erasing takes the names of the files.
    if (version.fileName === domain.erasedName) return null
    const { contentId, fileName, mediaType, sha256 } = version
    const content = { contentId, fileName, mediaType, sha256 }
    return readingAddress(context.bank, content, context.now())
  }
}

const paged = { nullable: true, description: 'In the order they came.' }

@Resolver(() => Case)
export class CaseDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentConnection, paged)
  documents(
    @Root() { caseId }: Case,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { caseId }, { first, after })
  }
}

@Resolver(() => Party)
export class PartyDocumentsResolver {
  @Requires('cases:read')
  @FieldResolver(() => DocumentConnection, paged)
  documents(
    @Root() { partyId }: Party,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return documentPage(context, { partyId }, { first, after })
  }
}

/** One page under the caller's own rights. */
function documentPage(
  context: Context,
  asked: { partyId?: string | null; caseId?: string | null },
  page: PageAsked,
): Promise<Page<Domain>> {
  const filter = {
    partyId: asked.partyId ?? context.caller.partyId,
    caseId: asked.caseId ?? null,
  }
  const isMine = maySee(context.caller, [filter.partyId])
  return readPage(
    context,
    'documents',
    filter,
    page,
    async (after, take) => (isMine ? listDocuments(context, filter, after, take) : []),
    documentTable.sortKey,
  )
}
