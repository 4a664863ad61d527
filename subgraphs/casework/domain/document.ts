import { Problem } from '../../_kernel/domain/problem.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { invalid } from './case.ts'
import { eraseAtOf, type RetentionClass } from './retention.ts'

export const documentStatuses = ['active', 'erased'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** The bytes of one version of a document. */
export interface DocumentVersion {
  number: number
  contentId: string
  fileName: string
  mediaType: string
  sizeBytes: number
  /** SHA-256 in hex. */
  sha256: string
  by: string
  at: Date
}

export interface Document extends Versioned {
  documentId: string
  title: string
  /** Such as `passport`, `payslip` or `letter`; values defined by the bank. */
  documentType: string
  partyId: string | null
  caseId: string | null
  /** Whether the party can see the document. */
  isShared: boolean
  retentionClass: RetentionClass
  /**
   * The end of its case, or the time of its newest version if it has no case; null while the case
   * is open.
   */
  retentionStartsAt: Date | null
  eraseAt: Date | null
  /** The legal hold; all three are null if there is none. */
  holdReason: string | null
  heldAt: Date | null
  heldBy: string | null
  status: DocumentStatus
  /** Oldest first. */
  versions: readonly DocumentVersion[]
  erasedAt: Date | null
}

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
 * Creates a document with its first version. The retention period of a case's document starts when
 * the case ends.
 */
export function newDocument(
  asked: NewDocument,
  first: NewVersion,
  made: Versioned & { documentId: string },
): Document {
  const now = made.createdAt
  return withRetention(
    {
      ...made,
      ...asked,
      retentionStartsAt: null,
      eraseAt: null,
      holdReason: null,
      heldAt: null,
      heldBy: null,
      status: 'active',
      versions: [{ ...first, number: 1, at: now }],
      erasedAt: null,
    },
    asked.caseId === null ? now : null,
  )
}

/** Sets the start of the retention period, and with it the erasure time. */
export function withRetention(document: Document, startsAt: Date | null): Document {
  const eraseAt = startsAt === null ? null : eraseAtOf(document.retentionClass, startsAt)
  return { ...document, retentionStartsAt: startsAt, eraseAt }
}

/**
 * Adds a version. The retention period of a document without a case starts again.
 * Throws STATE_CONFLICT if the document is erased.
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

/** Places a legal hold. Throws STATE_CONFLICT if the document is already held, or erased. */
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

/** Replaces the file names of an erased document. Uploads cannot use this name. */
export const erasedName = '…'

/**
 * Marks the content of a document as erased; the record and its hashes remain. Throws
 * STATE_CONFLICT before the erasure time, and under a legal hold.
 */
export function erase(document: Document, now: Date): Document {
  requireActive(document)
  if (document.heldAt !== null) throw conflict(document, 'held', 'has a legal hold')
  if (document.eraseAt === null || document.eraseAt > now) {
    throw conflict(document, 'active', 'is still within its retention period')
  }
  // File names can contain personal data; the hashes still prove what was stored.
  const versions = document.versions.map((version) => ({ ...version, fileName: erasedName }))
  return { ...document, status: 'erased', erasedAt: now, versions }
}

function requireActive(document: Document): void {
  if (document.status !== 'active') throw conflict(document, document.status, 'is erased')
}

function conflict({ documentId }: Document, currentState: string, what: string): Problem {
  const detail = `The document ${documentId} ${what}.`
  return new Problem('STATE_CONFLICT', { detail, resourceId: documentId, currentState })
}

/** The parties that can see a document. */
export function documentOwners({ isShared, partyId }: Document): string[] {
  return isShared && partyId !== null ? [partyId] : []
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/**
 * Normalizes a media type to lower case. Throws VALIDATION_FAILED if it is malformed or has
 * parameters.
 */
export function mediaTypeOf(text: string): string {
  const small = text.toLowerCase()
  if (mediaType.test(small)) return small
  const detail = `"${text}" is not a media type without parameters, such as application/pdf.`
  throw invalid('/mediaType', 'MEDIA_TYPE_INVALID', detail)
}

/** Throws VALIDATION_FAILED if a file name contains a folder. */
export function requireFileName(fileName: string): void {
  if (!/[/\\]/.test(fileName) && !/^\.+$/.test(fileName) && fileName !== erasedName) return
  const detail = `"${fileName}" is not allowed; send a file name without a folder.`
  throw invalid('/fileName', 'FILE_NAME_INVALID', detail)
}
