import type { Document, DocumentVersion } from '../model/document.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, update, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import { partiesThatMaySee } from '../domain/document.ts'
import type { DocumentEvent } from '../events.ts'

type StoredVersion = Omit<DocumentVersion, 'at'> & { at: string }
type DocumentRow = Omit<Document, 'versions'> & { versions: readonly StoredVersion[] }

export const documentTable = tableOf<Document, DocumentRow>(
  'casework.document',
  'documentId',
  ({ db }) => db.document,
  (row) => ({
    ...row,
    versions: row.versions.map((version) => ({ ...version, at: new Date(version.at) })),
  }),
)

export const documentKind: RecordKind<Document, DocumentEvent> = {
  ...documentTable,
  entity: 'document',
  id: 'document',
  notFound: 'DOCUMENT_NOT_FOUND',
  created: 'casework.document.attached',
  ownersOf: partiesThatMaySee,
  snapshot: (document) => {
    const { documentId, documentType, partyId, caseId, status, retentionClass } = document
    const { eraseAt, versions } = document
    const isHeld = document.heldAt !== null
    const { number, sha256, sizeBytes } = versions.at(-1)!
    const reference = { documentId, documentType, partyId, caseId, status }
    return {
      ...reference,
      retentionClass,
      eraseAt,
      isHeld,
      versionNumber: number,
      sha256,
      sizeBytes,
    }
  },
  isPublished: false,
}

/** Loads documents by ID. Documents that the caller may not see are null. */
export const loadDocument = loader<string, Document>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => documentTable.load(context, id)))
  return found.map((each) =>
    each && maySee(context.caller, partiesThatMaySee(each)) ? each : null,
  )
})

interface DocumentFilter {
  partyId: string | null
  caseId: string | null
}

/** Returns the documents that the caller may see, in the order they were attached. */
export async function listDocuments(
  context: Context,
  { caseId, ...filter }: DocumentFilter,
  after: string[] | null,
  take: number,
): Promise<Document[]> {
  const { caller } = context
  const partyId = filter.partyId ?? caller.partyId
  if (!maySee(caller, [partyId])) return []
  const isShared = caller.partyId === null ? null : true
  return documentTable.list(context, { partyId, caseId, isShared }, after, take)
}

/** Returns the documents of a case that are not erased. */
export function findDocumentsOf(context: Context, caseId: string): Promise<Document[]> {
  return documentTable.findMany(context, {
    where: { caseId, status: 'active' },
    orderBy: { documentId: 'asc' },
  })
}

/** Returns documents whose retention period has ended and that have no legal hold. */
export function findErasable(context: Context, now: Date, take: number): Promise<Document[]> {
  return documentTable.findMany(context, {
    where: { status: 'active', heldAt: null, eraseAt: { lte: now } },
    orderBy: { eraseAt: 'asc' },
    take,
  })
}

/** Returns the write that saves documents as erased. They already have their new versions. */
export function writeErased(documents: readonly Document[]): Write {
  return updateMany(
    'casework.document',
    'document_id',
    documents.map(({ documentId, version, status, versions, erasedAt, updatedAt }) => ({
      document_id: documentId,
      version: version - 1,
      status,
      versions,
      erased_at: erasedAt,
      updated_at: updatedAt,
    })),
  )
}

/** The content of one upload. */
export interface Content {
  contentId: string
  /**
   * `awaited` until the content is attached to a document, `attached` while it belongs to a
   * document, and `discarded` if its bytes must be deleted.
   */
  state: 'awaited' | 'attached' | 'discarded'
  /**
   * The client that requested the upload and the party for which it acts (or null), as a JSON
   * array, such as `["client_1","pty_1"]`.
   */
  owner: string
  fileName: string
  mediaType: string
  /** When the bytes can be deleted; null while the content belongs to a document. */
  discardAt: Date | null
  version: number
}

export function insertContent(content: Content, createdAt: Date): Write {
  return insert('casework.content', {
    content_id: content.contentId,
    state: content.state,
    owner: content.owner,
    file_name: content.fileName,
    media_type: content.mediaType,
    discard_at: content.discardAt,
    version: content.version,
    created_at: createdAt,
  })
}

export function writeContentState(
  { contentId, version }: Content,
  state: Content['state'],
  discardAt: Date | null,
): Write {
  const changes = { state, discard_at: discardAt }
  return update('casework.content', { content_id: contentId }, version, changes)
}

export async function findContent(context: Context, contentId: string): Promise<Content | null> {
  const row = await context.db.content.findUnique({ where: { contentId } })
  return row && { ...row, state: row.state as Content['state'] }
}

export async function findContents(context: Context, ids: readonly string[]): Promise<Content[]> {
  const rows = await context.db.content.findMany({ where: { contentId: { in: [...ids] } } })
  return rows.map((row) => ({ ...row, state: row.state as Content['state'] }))
}

/** Returns content records whose bytes can be deleted. */
export async function findDiscardable(context: Context, now: Date, take: number) {
  const rows = await context.db.content.findMany({
    where: { discardAt: { lte: now } },
    orderBy: { discardAt: 'asc' },
    take,
  })
  return rows.map((row) => ({ ...row, state: row.state as Content['state'] }))
}

/** Returns the write that marks content as discarded, so that it can no longer be attached. */
export function discardContents(contents: readonly Content[], discardAt: Date): Write {
  return updateMany(
    'casework.content',
    'content_id',
    contents.map(({ contentId, version }) => ({
      content_id: contentId,
      version,
      state: 'discarded',
      discard_at: discardAt,
    })),
  )
}

/** Returns the write that deletes the rows of content whose bytes were deleted. */
export function deleteContents(contents: readonly Content[]): Write {
  return {
    sql: 'delete from casework.content t using claim where t.content_id = any($1::text[]) returning 1',
    values: [contents.map(({ contentId }) => contentId)],
    rows: contents.length,
  }
}
