import type { Document, DocumentVersion } from '../model/document.ts'
import type { RetentionClass } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { invalid } from './case.ts'
import { eraseAtOf } from './retention.ts'

export interface NewDocument {
  title: string
  documentType: string
  isShared: boolean
  retentionClass: RetentionClass
  partyId: string | null
  caseId: string | null
}

export type NewVersion = Omit<DocumentVersion, 'number' | 'at'>

/**
 * Creates a document with its first version. Its retention period starts now or, if the document
 * belongs to a case, when the case ends.
 */
export function newDocument(
  request: NewDocument,
  first: NewVersion,
  stamp: Versioned & { documentId: string },
): Document {
  const now = stamp.createdAt
  return withRetention(
    {
      ...stamp,
      ...request,
      retentionStartsAt: null,
      eraseAt: null,
      holdReason: null,
      heldAt: null,
      heldBy: null,
      status: 'active',
      versions: [{ ...first, number: 1, at: now }],
      erasedAt: null,
    },
    request.caseId === null ? now : null,
  )
}

/** Sets the start of the retention period and the resulting erasure time. */
export function withRetention(document: Document, startsAt: Date | null): Document {
  const eraseAt = startsAt === null ? null : eraseAtOf(document.retentionClass, startsAt)
  return { ...document, retentionStartsAt: startsAt, eraseAt }
}

/**
 * Adds a version. If the document has no case, its retention period starts again. Throws
 * STATE_CONFLICT if the document is erased.
 */
export function addVersion(document: Document, next: NewVersion, now: Date): Document {
  requireActive(document)
  const versions = [
    ...document.versions,
    { ...next, number: document.versions.length + 1, at: now },
  ]
  const after = { ...document, versions }
  return document.caseId === null ? withRetention(after, now) : after
}

/** Places a legal hold. Throws STATE_CONFLICT if the document is erased or has a legal hold. */
export function hold(document: Document, reason: string, by: string, now: Date): Document {
  requireActive(document)
  if (document.heldAt !== null) throw conflict(document, 'held', 'already has a legal hold')
  return { ...document, holdReason: reason, heldAt: now, heldBy: by }
}

/** Releases a legal hold. Throws STATE_CONFLICT if there is none. */
export function releaseHold(document: Document): Document {
  if (document.heldAt === null) throw conflict(document, document.status, 'has no legal hold')
  return { ...document, holdReason: null, heldAt: null, heldBy: null }
}

/** The file name of all versions of an erased document. Uploads cannot use this name. */
export const erasedName = '…'

/**
 * Marks the content of a document as erased. The record and its hashes remain. Throws
 * STATE_CONFLICT if the document is erased, is within its retention period or has a legal hold.
 */
export function erase(document: Document, now: Date): Document {
  requireActive(document)
  if (document.heldAt !== null) throw conflict(document, 'held', 'has a legal hold')
  if (document.eraseAt === null || document.eraseAt > now) {
    throw conflict(document, 'active', 'is still within its retention period')
  }
  // File names can contain personal data. The hashes remain as evidence of what was stored.
  const versions = document.versions.map((version) => ({ ...version, fileName: erasedName }))
  return { ...document, status: 'erased', erasedAt: now, versions }
}

function requireActive(document: Document): void {
  if (document.status !== 'active') throw conflict(document, document.status, 'is erased')
}

function conflict({ documentId }: Document, currentState: string, reason: string): Problem {
  const detail = `The document ${documentId} ${reason}.`
  return new Problem('STATE_CONFLICT', { detail, resourceId: documentId, currentState })
}

/** Returns the parties that may see a document. */
export function partiesThatMaySee({ isShared, partyId }: Document): string[] {
  return isShared && partyId !== null ? [partyId] : []
}

const mediaTypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/**
 * Returns a media type in lower case. Throws VALIDATION_FAILED if the media type is malformed or
 * has parameters.
 */
export function mediaTypeOf(text: string): string {
  const lowerCase = text.toLowerCase()
  if (mediaTypePattern.test(lowerCase)) return lowerCase
  const detail = `"${text}" is invalid. Send a media type without parameters, such as application/pdf.`
  throw invalid('/mediaType', 'MEDIA_TYPE_INVALID', detail)
}

/** Checks a file name. Throws VALIDATION_FAILED if it contains a folder or is reserved. */
export function requireFileName(fileName: string): void {
  if (!/[/\\]/.test(fileName) && !/^\.+$/.test(fileName) && fileName !== erasedName) return
  const detail = `"${fileName}" is not allowed; send a file name without a folder.`
  throw invalid('/fileName', 'FILE_NAME_INVALID', detail)
}
