import { createHash } from 'node:crypto'
import { fingerprint } from '../_kernel/answer.ts'
import { maySee, requireBank } from '../_kernel/auth.ts'
import { command, keyOwner } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { addMs, minuteMs } from '../_kernel/domain/dates.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { changeRecord, createRecord, publish, versioned } from '../_kernel/records.ts'
import type { Write } from '../_kernel/writes.ts'
import { answered, requireCase } from './case-commands.ts'
import { addressOf } from './contents/address.ts'
import { mostContentBytes } from './contents/content-store.ts'
import { contentsOf } from './contents/contents.ts'
import { rulesOf } from './domain/case-type.ts'
import { invalid, ownersOf, requireOpen, type Case } from './domain/case.ts'
import * as domain from './domain/document.ts'
import type { Document } from './domain/document.ts'
import type { RetentionClass } from './domain/retention.ts'
import { caseKind } from './store/case.ts'
import {
  documentKind,
  findContent,
  insertContent,
  writeContentState,
  type Content,
} from './store/document.ts'

/**
 * The time to send an upload and to attach it. Attaching ends later, so that no upload is still
 * running when its content is deleted.
 */
const sendMs = 60 * minuteMs
const attachMs = 70 * minuteMs

export interface Upload {
  uploadId: string
  url: string
  expiresAt: Date
  mostBytes: number
}

interface FileAsked {
  fileName: string
  mediaType: string
}

/**
 * Issues an upload link for one file, valid for an hour. Content that is not attached is deleted.
 * Throws VALIDATION_FAILED for an invalid media type or file name.
 */
export async function requestUpload(context: Context, asked: FileAsked): Promise<Upload> {
  const content = await reserve(context, 'requestDocumentUpload', asked, asked)
  const { contentId, fileName, mediaType, discardAt } = content
  const expiresAt = addMs(discardAt!, sendMs - attachMs)
  const url = addressOf(context.bank, { use: 'send', contentId, fileName, mediaType }, expiresAt)
  return { uploadId: contentId, url, expiresAt, mostBytes: mostContentBytes }
}

function reserve(
  context: Context,
  operation: string,
  input: unknown,
  { fileName, mediaType }: FileAsked,
): Promise<Content> {
  domain.requireFileName(fileName)
  const kept = { fileName, mediaType: domain.mediaTypeOf(mediaType) }
  return command(context, operation, input, async () => {
    const now = context.now()
    const contentId = context.newId('content')
    const owner = keyOwner(context)
    const rest = { state: 'awaited', discardAt: addMs(now, attachMs), version: 1 } as const
    const content: Content = { contentId, owner, ...kept, ...rest }
    const told = {
      type: 'casework.upload.requested',
      subject: `content/${contentId}`,
      version: 1,
      data: { contentId, mediaType: kept.mediaType },
      parties: context.caller.partyId === null ? [] : [context.caller.partyId],
    }
    const writes = [insertContent(content, now)]
    return { result: content, resourceId: contentId, writes, events: [told] }
  })
}

/** The content of a document version: an upload, or a small file sent inline. */
export interface Source {
  uploadId?: string | null
  /** Base64. */
  content?: string | null
  fileName?: string | null
  mediaType?: string | null
}

/**
 * Stores inline content as if it had been uploaded, and returns the upload id. A retry with the
 * same idempotency key reuses it.
 */
async function receive(context: Context, operation: string, source: Source): Promise<string> {
  const { uploadId, content, fileName, mediaType } = source
  if (uploadId && !content) return uploadId
  if (!content || uploadId || !fileName || !mediaType) {
    const detail = 'Send either uploadId, or content with fileName and mediaType.'
    throw invalid('/uploadId', 'ONE_OF', detail)
  }
  const file = { fileName, mediaType }
  const input = { ...file, sha256: sha256Of(bytesOf(content)) }
  const { contentId } = await reserve(context, `${operation}.content`, input, file)
  context.outcome.isReplayed = false
  const reserved = await findContent(context, contentId)
  if (reserved?.state === 'awaited') await contentsOf(context.bank).put(contentId, bytesOf(content))
  return contentId
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Turns an upload of the caller into the next version of a document, and returns the write that
 * attaches it. Throws UPLOAD_NOT_FOUND, CONTENT_NOT_RECEIVED.
 */
async function takeUpload(
  context: Context,
  uploadId: string,
): Promise<{ version: domain.NewVersion; writes: Write[] }> {
  const content = await findContent(context, uploadId)
  const isMine = content?.owner === keyOwner(context)
  if (!isMine || content.state !== 'awaited' || content.discardAt! <= context.now()) {
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

export interface DocumentAsked extends Source {
  documentId?: string | null
  title: string
  documentType: string
  partyId?: string | null
  caseId?: string | null
  isShared?: boolean | null
  retentionClass?: RetentionClass | null
}

/**
 * Attaches a document to a party, a case or both. A delegated user's document is always their own
 * and shared, and resumes a case that waits for them.
 * Throws PARTY_NOT_FOUND, CASE_NOT_FOUND, UPLOAD_NOT_FOUND for unknown references,
 * CONTENT_NOT_RECEIVED, STATE_CONFLICT (the case has ended), RESOURCE_EXISTS, VALIDATION_FAILED.
 */
export async function attachDocument(context: Context, asked: DocumentAsked): Promise<Document> {
  const operation = 'attachDocument'
  const { content, ...rest } = asked
  const input = { ...rest, ...(content && { sha256: sha256Of(bytesOf(content)) }) }
  const known = asked.documentId ? await documentKind.find(context, asked.documentId) : null
  // A repeated request returns the existing document without storing the content again.
  const isKnown = known?.contentHash === fingerprint(operation, input)
  const uploadId = isKnown ? '' : await receive(context, operation, asked)
  return createRecord(context, documentKind, operation, input, asked.documentId, async (made) => {
    const { about, partyId } = await placeOf(context, asked)
    const { version, writes } = await takeUpload(context, uploadId)
    const isConfidential = about !== null && rulesOf[about.caseType].isConfidential
    const document = domain.newDocument(
      {
        title: asked.title,
        documentType: asked.documentType,
        isShared: !isConfidential && (asked.isShared || context.caller.partyId !== null),
        retentionClass: asked.retentionClass ?? retentionOf(about),
        partyId,
        caseId: about?.caseId ?? null,
      },
      version,
      { ...versioned(made), documentId: made.id },
    )
    if (!about) return { record: document, writes }
    const told = tellCase(context, about, document, made.now)
    const { events, facts } = told
    return { record: document, writes: [...writes, ...told.writes], events, facts }
  })
}

const retentionOf = (about: Case | null) =>
  about ? rulesOf[about.caseType].retentionClass : 'servicing'

async function placeOf(context: Context, asked: DocumentAsked) {
  const { caller } = context
  const about = asked.caseId ? await requireCase(context, asked.caseId) : null
  if (about) requireOpen(about)
  const partyId = asked.partyId ?? about?.partyId ?? caller.partyId
  if (!about && partyId === null)
    throw invalid('/partyId', 'ONE_OF', 'Send partyId, caseId or both.')
  if (about?.partyId && about.partyId !== partyId) {
    throw invalid('/partyId', 'PARTY_MISMATCH', 'The case concerns another party.')
  }
  const [party] = partyId === null ? [null] : await readFacts(context, [`party/${partyId}`])
  if (partyId !== null && (!party || !maySee(caller, [partyId]))) {
    throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  }
  return { about, partyId }
}

/** Records an attached document in the timeline of its case. */
function tellCase(context: Context, about: Case, document: Document, now: Date) {
  const { documentId, isShared } = document
  const isVisible = isShared && ownersOf(about).length > 0
  const happening = { kind: 'document', text: documentId, isShared: isVisible } as const
  const { record, writes, events } = answered(context, about, now, happening)
  const after = { ...record, version: about.version + 1, updatedAt: now }
  const told = publish(caseKind, after, 'casework.case.document-attached')
  return {
    writes: [caseKind.update(about, after), ...writes],
    events: [...told.events, ...events],
    facts: told.facts,
  }
}

/**
 * Adds a version to a document. Throws DOCUMENT_NOT_FOUND, UPLOAD_NOT_FOUND, CONTENT_NOT_RECEIVED,
 * STATE_CONFLICT, VALIDATION_FAILED.
 */
export async function addVersion(
  context: Context,
  asked: Source & { documentId: string },
): Promise<Document> {
  const operation = 'addDocumentVersion'
  const { content, documentId, ...rest } = asked
  const uploadId = await receive(context, operation, asked)
  const input = { ...rest, documentId, ...(content && { sha256: sha256Of(bytesOf(content)) }) }
  const event = 'casework.document.version-added'
  return changeRecord(
    context,
    documentKind,
    operation,
    input,
    documentId,
    event,
    async (before, now) => {
      const { version, writes } = await takeUpload(context, uploadId)
      return { record: domain.addVersion(before, version, now), writes }
    },
  )
}

/** Places a legal hold. Throws DOCUMENT_NOT_FOUND, STATE_CONFLICT, NOT_FOR_DELEGATED_USERS. */
export function holdDocument(
  context: Context,
  input: { documentId: string; reason: string },
): Promise<Document> {
  requireBank(context)
  const { documentId, reason } = input
  const event = 'casework.document.held'
  const operation = 'placeLegalHold'
  return changeRecord(
    context,
    documentKind,
    operation,
    input,
    documentId,
    event,
    (before, now) => ({
      record: domain.hold(before, reason, context.caller.subject, now),
    }),
  )
}

/** Releases a legal hold. Throws DOCUMENT_NOT_FOUND, STATE_CONFLICT, NOT_FOR_DELEGATED_USERS. */
export function releaseDocument(context: Context, documentId: string): Promise<Document> {
  requireBank(context)
  const input = { documentId }
  const event = 'casework.document.released'
  const operation = 'releaseLegalHold'
  return changeRecord(context, documentKind, operation, input, documentId, event, (before) => ({
    record: domain.releaseHold(before),
  }))
}
