import type { RetentionClass } from '../model/enumerations.ts'
import { createHash } from 'node:crypto'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { maySee, requireBank, visibleActor } from '../../../kernel/authorization/auth.ts'
import { keyOwner } from '../../../kernel/writing/attempts.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { recordCaseActivity, requireCase } from './case.ts'
import { addressOf } from '../contents/address.ts'
import { contentsOf, maxContentBytes } from '../contents/contents.ts'
import { rulesOf } from '../domain/case-type.ts'
import { invalid, ownersOf, requireOpen } from '../domain/case.ts'
import * as domain from '../domain/document.ts'
import type { Case } from '../model/case.ts'
import type { Document } from '../model/document.ts'
import { caseKind } from '../store/case.ts'
import {
  documentKind,
  findContent,
  insertContent,
  writeContentState,
  type Content,
} from '../store/document.ts'

/**
 * How long an upload URL is valid, and how long the upload can be attached. The second period is
 * longer, so that no upload is still running when unattached content is deleted.
 */
const uploadMs = 60 * minuteMs
const attachMs = 70 * minuteMs

export interface Upload {
  uploadId: string
  url: string
  expiresAt: Date
  maxBytes: number
}

interface FileRequest {
  fileName: string
  mediaType: string
}

/**
 * Creates a signed URL for the upload of one file. It is valid for an hour. Content that is not
 * attached within 70 minutes is deleted. Throws VALIDATION_FAILED for an invalid media type or file
 * name.
 */
export async function requestUpload(context: Context, request: FileRequest): Promise<Upload> {
  const content = await reserveContent(context, 'requestDocumentUpload', request, request)
  const { contentId, fileName, mediaType, discardAt } = content
  const expiresAt = addMs(discardAt!, uploadMs - attachMs)
  const url = addressOf(context.bank, { use: 'send', contentId, fileName, mediaType }, expiresAt)
  return { uploadId: contentId, url, expiresAt, maxBytes: maxContentBytes }
}

function reserveContent(
  context: Context,
  operation: string,
  input: unknown,
  { fileName, mediaType }: FileRequest,
): Promise<Content> {
  domain.requireFileName(fileName)
  const storedFile = { fileName, mediaType: domain.mediaTypeOf(mediaType) }
  return command(context, operation, input, async () => {
    const now = context.now()
    const contentId = context.newId('content')
    const owner = keyOwner(context)
    const fields = { state: 'awaited', discardAt: addMs(now, attachMs), version: 1 } as const
    const content: Content = { contentId, owner, ...storedFile, ...fields }
    const domainEvent = {
      type: 'casework.upload.requested',
      subject: `content/${contentId}`,
      version: 1,
      data: { contentId, mediaType: storedFile.mediaType },
      parties: context.caller.partyId === null ? [] : [context.caller.partyId],
    }
    const writes = [insertContent(content, now)]
    return { result: content, resourceId: contentId, writes, events: [domainEvent] }
  })
}

/** The content of a document version: either an upload, or a small file sent inline. */
export interface Source {
  uploadId?: string | null
  /** The inline content, encoded in Base64. */
  content?: string | null
  fileName?: string | null
  mediaType?: string | null
}

/**
 * Stores inline content like an upload and returns the upload ID; the ID of an existing upload is
 * returned unchanged. A retry with the same idempotency key returns the same ID.
 */
async function storeInlineContent(
  context: Context,
  operation: string,
  source: Source,
): Promise<string> {
  const { uploadId, content, fileName, mediaType } = source
  if (uploadId && !content) return uploadId
  if (!content || uploadId || !fileName || !mediaType) {
    const detail = 'Send either uploadId, or content with fileName and mediaType.'
    throw invalid('/uploadId', 'ONE_OF', detail)
  }
  const file = { fileName, mediaType }
  const input = { ...file, sha256: sha256Of(bytesOf(content)) }
  const { contentId } = await reserveContent(context, `${operation}.content`, input, file)
  context.outcome.isReplayed = false
  const reservedContent = await findContent(context, contentId)
  if (reservedContent?.state === 'awaited')
    await contentsOf(context.bank).put(contentId, bytesOf(content))
  return contentId
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns the next version of a document from an upload of the caller, and the write that attaches
 * the upload. Throws UPLOAD_NOT_FOUND, CONTENT_NOT_RECEIVED.
 */
async function versionFromUpload(
  context: Context,
  uploadId: string,
): Promise<{ version: domain.NewVersion; writes: Write[] }> {
  const content = await findContent(context, uploadId)
  const isOwner = content?.owner === keyOwner(context)
  if (!isOwner || content.state !== 'awaited' || content.discardAt! <= context.now()) {
    throw missingReference('UPLOAD_NOT_FOUND', uploadId, '/uploadId')
  }
  const bytes = await contentsOf(context.bank).get(uploadId)
  if (!bytes) throw new Problem('CONTENT_NOT_RECEIVED', { resourceId: uploadId })
  const { contentId, fileName, mediaType } = content
  const file = { contentId, fileName, mediaType, by: context.caller.subject }
  return {
    version: { ...file, sizeBytes: bytes.length, sha256: sha256Of(bytes) },
    writes: [writeContentState(content, 'attached', null)],
  }
}

export interface DocumentRequest extends Source {
  documentId?: string | null
  title: string
  documentType: string
  partyId?: string | null
  caseId?: string | null
  isShared?: boolean | null
  retentionClass?: RetentionClass | null
}

/**
 * Attaches a document to a party, a case or both. A document of a confidential case is never
 * shared. A document from a delegated user belongs to the user's party, is shared, and resumes a
 * case that waits for the customer.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, UPLOAD_NOT_FOUND, CONTENT_NOT_RECEIVED, RESOURCE_EXISTS,
 * VALIDATION_FAILED, and STATE_CONFLICT if the case has ended.
 */
export async function attachDocument(
  context: Context,
  request: DocumentRequest,
): Promise<Document> {
  const operation = 'attachDocument'
  const { content, ...fields } = request
  const input = { ...fields, ...(content && { sha256: sha256Of(bytesOf(content)) }) }
  const existing = request.documentId ? await documentKind.find(context, request.documentId) : null
  // If the request is repeated, the content is not stored again.
  const isRepeated = existing?.contentHash === fingerprint(operation, input)
  const uploadId = isRepeated ? '' : await storeInlineContent(context, operation, request)
  return createRecord(
    context,
    documentKind,
    operation,
    input,
    request.documentId,
    async (stamp) => {
      const { caseFile, partyId } = await caseAndPartyOf(context, request)
      const { version, writes } = await versionFromUpload(context, uploadId)
      const isConfidential = caseFile !== null && rulesOf[caseFile.caseType].isConfidential
      const document = domain.newDocument(
        {
          title: request.title,
          documentType: request.documentType,
          isShared: !isConfidential && (request.isShared || context.caller.partyId !== null),
          retentionClass: request.retentionClass ?? retentionOf(caseFile),
          partyId,
          caseId: caseFile?.caseId ?? null,
        },
        version,
        { ...versioned(stamp), documentId: stamp.id },
      )
      if (!caseFile) return { record: document, writes }
      const timelineChange = recordInTimeline(context, caseFile, document, stamp.now)
      const { events, facts } = timelineChange
      return { record: document, writes: [...writes, ...timelineChange.writes], events, facts }
    },
  )
}

const retentionOf = (caseFile: Case | null) =>
  caseFile ? rulesOf[caseFile.caseType].retentionClass : 'servicing'

async function caseAndPartyOf(context: Context, request: DocumentRequest) {
  const { caller } = context
  const caseFile = request.caseId ? await requireCase(context, request.caseId) : null
  if (caseFile) requireOpen(caseFile)
  const partyId = request.partyId ?? caseFile?.partyId ?? caller.partyId
  if (!caseFile && partyId === null)
    throw invalid('/partyId', 'ONE_OF', 'Send partyId, caseId or both.')
  if (caseFile?.partyId && caseFile.partyId !== partyId) {
    throw invalid('/partyId', 'PARTY_MISMATCH', 'The case belongs to another party.')
  }
  const [party] = partyId === null ? [null] : await readFacts(context, [`party/${partyId}`])
  if (partyId !== null && (!party || !maySee(caller, [partyId]))) {
    throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  }
  return { caseFile, partyId }
}

/** Returns the writes, events and facts that record a document in the timeline of its case. */
function recordInTimeline(context: Context, caseFile: Case, document: Document, now: Date) {
  const { documentId, isShared } = document
  const readers = isShared ? ownersOf(caseFile) : []
  const isVisible = readers.length > 0
  const timelineEvent = { kind: 'document', text: documentId, isShared: isVisible } as const
  const { record, writes, events } = recordCaseActivity(context, caseFile, now, timelineEvent)
  const after = { ...record, version: caseFile.version + 1, updatedAt: now }
  const published = publicationOf(caseKind, after, 'casework.case.document-attached', readers)
  return {
    writes: [caseKind.update(caseFile, after), ...writes],
    events: [...published.events, ...events],
    facts: published.facts,
  }
}

/**
 * Adds a version to a document. A delegated user can do so only for a document of their own, while
 * its case is open; the version is recorded in the timeline of the case, and resumes a case that
 * waits for the customer. Throws DOCUMENT_NOT_FOUND, UPLOAD_NOT_FOUND, CONTENT_NOT_RECEIVED,
 * STATE_CONFLICT, VALIDATION_FAILED, NOT_FOR_DELEGATED_USERS.
 */
export async function addVersion(
  context: Context,
  request: Source & { documentId: string },
): Promise<Document> {
  const operation = 'addDocumentVersion'
  const { content, documentId, ...fields } = request
  const uploadId = await storeInlineContent(context, operation, request)
  const input = { ...fields, documentId, ...(content && { sha256: sha256Of(bytesOf(content)) }) }
  const event = 'casework.document.version-added'
  return changeRecord(
    context,
    documentKind,
    operation,
    input,
    documentId,
    event,
    async (before, now) => {
      const caseFile = await caseOfCustomer(context, before)
      const { version, writes } = await versionFromUpload(context, uploadId)
      const record = domain.addVersion(before, version, now)
      if (!caseFile) return { record, writes }
      const timelineChange = recordInTimeline(context, caseFile, record, now)
      return { record, ...timelineChange, writes: [...writes, ...timelineChange.writes] }
    },
  )
}

/**
 * Returns the case of a document to which a delegated user adds a version; null if there is none, and
 * for other callers. Throws NOT_FOR_DELEGATED_USERS if the bank attached the document, and
 * STATE_CONFLICT if the case has ended.
 */
async function caseOfCustomer(
  context: Context,
  { caseId, versions }: Document,
): Promise<Case | null> {
  if (context.caller.partyId === null) return null
  const isOwn = visibleActor(context.caller, versions[0]!.by) !== null
  if (!isOwn) requireBank(context)
  if (caseId === null) return null
  const caseFile = await requireCase(context, caseId)
  requireOpen(caseFile)
  return caseFile
}
