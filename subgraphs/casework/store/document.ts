import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { insert, update, updateMany, type Write } from '../../_kernel/writes.ts'
import { documentOwners, type Document, type DocumentVersion } from '../domain/document.ts'
import type { DocumentEvent } from '../events.ts'

type StoredVersion = Omit<DocumentVersion, 'at'> & { at: string }

export const documentTable = tableOf<Document, Prisma.DocumentGetPayload<object>>(
  'casework.document',
  'documentId',
  ({ db }) => db.document,
  (row) => ({
    ...row,
    retentionClass: row.retentionClass as Document['retentionClass'],
    status: row.status as Document['status'],
    versions: (row.versions as unknown as StoredVersion[]).map((version) => ({
      ...version,
      at: new Date(version.at),
    })),
  }),
)

export const documentKind: Kind<Document, DocumentEvent> = {
  ...documentTable,
  entity: 'document',
  id: 'document',
  notFound: 'DOCUMENT_NOT_FOUND',
  created: 'casework.document.attached',
  ownersOf: documentOwners,
  snapshot: (document) => {
    const { documentId, documentType, partyId, caseId, status, retentionClass } = document
    const { eraseAt, versions } = document
    const isHeld = document.heldAt !== null
    const { number, sha256, sizeBytes } = versions.at(-1)!
    const place = { documentId, documentType, partyId, caseId, status }
    return { ...place, retentionClass, eraseAt, isHeld, versionNumber: number, sha256, sizeBytes }
  },
  isPublished: false,
}

/** Loads documents by id; null for those the caller cannot see. */
export const loadDocument = loader<string, Document>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => documentTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, documentOwners(each)) ? each : null))
})

export interface DocumentFilter {
  partyId: string | null
  caseId: string | null
}

/** Documents in the order they were attached, under the caller's permissions. */
export function listDocuments(
  context: Context,
  { partyId, caseId }: DocumentFilter,
  after: string[] | null,
  take: number,
): Promise<Document[]> {
  const isDelegated = context.caller.partyId !== null
  const where = {
    ...(partyId !== null && { partyId }),
    ...(caseId !== null && { caseId }),
    ...(isDelegated && { isShared: true }),
  }
  return documentTable.list(context, where, after, take)
}

/** Documents of a case that are not erased. */
export function findDocumentsOf(context: Context, caseId: string): Promise<Document[]> {
  return documentTable.findMany(context, {
    where: { caseId, status: 'active' },
    orderBy: { documentId: 'asc' },
  })
}

/** Documents whose retention period has ended and that have no legal hold. */
export function findErasable(context: Context, now: Date, take: number): Promise<Document[]> {
  return documentTable.findMany(context, {
    where: { status: 'active', heldAt: null, eraseAt: { lte: now } },
    orderBy: { eraseAt: 'asc' },
    take,
  })
}

/** Writes erased documents. Each carries its version after the change. */
export function writeErased(erased: readonly Document[]): Write {
  return updateMany(
    'casework.document',
    'document_id',
    erased.map(({ documentId, version, status, versions, erasedAt, updatedAt }) => ({
      document_id: documentId,
      version: version - 1,
      status,
      versions,
      erased_at: erasedAt,
      updated_at: updatedAt,
    })),
  )
}

/**
 * The content of one upload. awaited: an upload link was issued; attached: it belongs to a
 * document; discarded: its bytes are to be deleted.
 */
export interface Content {
  contentId: string
  state: 'awaited' | 'attached' | 'discarded'
  /** The client that requested the upload, and the party it acts for. */
  owner: string
  fileName: string
  mediaType: string
  /** When the bytes can be deleted; null while they belong to a document. */
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

/** Contents whose bytes can be deleted. */
export async function findDiscardable(context: Context, now: Date, take: number) {
  const rows = await context.db.content.findMany({
    where: { discardAt: { lte: now } },
    orderBy: { discardAt: 'asc' },
    take,
  })
  return rows.map((row) => ({ ...row, state: row.state as Content['state'] }))
}

/** Marks contents as discarded, so that they can no longer be attached. */
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

/** Deletes the rows of contents whose bytes were deleted. */
export function deleteContents(contents: readonly Content[]): Write {
  return {
    sql: 'delete from casework.content t using claim where t.content_id = any($1::text[]) returning 1',
    values: [contents.map(({ contentId }) => contentId)],
    rows: contents.length,
  }
}
