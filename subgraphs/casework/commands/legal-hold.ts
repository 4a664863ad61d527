import type { Context } from '../../../kernel/environment/context.ts'
import { changeRecord } from '../../../kernel/writing/records.ts'
import * as domain from '../domain/document.ts'
import type { Document } from '../model/document.ts'
import { documentKind } from '../store/document.ts'

/** Places a legal hold. Throws DOCUMENT_NOT_FOUND, STATE_CONFLICT. */
export function holdDocument(
  context: Context,
  input: { documentId: string; reason: string },
): Promise<Document> {
  const { documentId, reason } = input
  const event = 'casework.document.held'
  const decide = (before: Document, now: Date) => ({
    record: domain.hold(before, reason, context.caller.subject, now),
  })
  return changeRecord(context, documentKind, 'placeLegalHold', input, documentId, event, decide)
}

/** Releases a legal hold. Throws DOCUMENT_NOT_FOUND, STATE_CONFLICT. */
export function releaseDocument(context: Context, documentId: string): Promise<Document> {
  const input = { documentId }
  const event = 'casework.document.released'
  const operation = 'releaseLegalHold'
  return changeRecord(context, documentKind, operation, input, documentId, event, (before) => ({
    record: domain.releaseHold(before),
  }))
}
