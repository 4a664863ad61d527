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
  /** `passport`, `payslip`, `letter`: the bank's own words. */
  documentType: string
  partyId: string | null
  caseId: string | null
  /** Its party may see it. */
  isShared: boolean
  retentionClass: RetentionClass
  /** The end of its matter: of its case, or the day it came when it has none. */
  retentionStartsAt: Date | null
  eraseAt: Date | null
  /** Nothing of it is erased while it is held. */
  holdReason: string | null
  heldAt: Date | null
  heldBy: string | null
  status: DocumentStatus
  /** The oldest first. */
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

/** A document with its first version. One of a case is kept at least until that has ended. */
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

/** Lets the time a document is kept begin. */
export function withRetention(document: Document, startsAt: Date | null): Document {
  const eraseAt = startsAt === null ? null : eraseAtOf(document.retentionClass, startsAt)
  return { ...document, retentionStartsAt: startsAt, eraseAt }
}

/**
 * Adds a version; the time a document without a case is kept begins anew.
 * Refuses with STATE_CONFLICT what is erased.
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

/** Keeps a document, whatever its class says. Refuses with STATE_CONFLICT what is held already, or erased. */
export function hold(document: Document, reason: string, by: string, now: Date): Document {
  requireActive(document)
  if (document.heldAt !== null) throw conflict(document, 'held', 'is held already')
  return { ...document, holdReason: reason, heldAt: now, heldBy: by }
}

/** Lets a document go its way again. Refuses with STATE_CONFLICT what is not held. */
export function releaseHold(document: Document): Document {
  if (document.heldAt === null) throw conflict(document, document.status, 'is not held')
  return { ...document, holdReason: null, heldAt: null, heldBy: null }
}

/** What stands for the name of a file that is erased; no file that comes has it. */
export const erasedName = '…'

/** Gives up the content of a document for good; that it was there stays known. Refuses with STATE_CONFLICT before its time, and what is held. */
export function erase(document: Document, now: Date): Document {
  requireActive(document)
  if (document.heldAt !== null) throw conflict(document, 'held', 'is held')
  if (document.eraseAt === null || document.eraseAt > now) {
    throw conflict(document, 'active', 'has to be kept')
  }
  // Names of files say who and what; the hashes still prove what was there.
  const versions = document.versions.map((version) => ({ ...version, fileName: erasedName }))
  return { ...document, status: 'erased', erasedAt: now, versions }
}

function requireActive(document: Document): void {
  if (document.status !== 'active') throw conflict(document, document.status, 'is erased')
}

function conflict({ documentId }: Document, currentState: string, what: string): Problem {
  const detail = `${documentId} ${what}.`
  return new Problem('STATE_CONFLICT', { detail, resourceId: documentId, currentState })
}

/** The parties that may see a document. */
export function documentOwners({ isShared, partyId }: Document): string[] {
  return isShared && partyId !== null ? [partyId] : []
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/** In small letters. Refuses with VALIDATION_FAILED what is no media type, or has parameters. */
export function mediaTypeOf(text: string): string {
  const small = text.toLowerCase()
  if (mediaType.test(small)) return small
  throw invalid('/mediaType', 'MEDIA_TYPE_INVALID', 'Such as application/pdf.')
}

/** Refuses with VALIDATION_FAILED a file name that names a folder. */
export function requireFileName(fileName: string): void {
  if (!/[/\\]/.test(fileName) && !/^\.+$/.test(fileName) && fileName !== erasedName) return
  throw invalid('/fileName', 'FILE_NAME_INVALID', 'A name without a folder.')
}
