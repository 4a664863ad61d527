import { eventsOf } from '../../kernel/domain/state-machine.ts'
import * as data from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { Case, caseStates } from './model/case.ts'
import { Document } from './model/document.ts'
import {
  CasePriority,
  CaseStatus,
  CaseType,
  DocumentStatus,
  RetentionClass,
} from './model/enumerations.ts'

export const caseEvents = declareEvents(
  {
    'casework.case.opened': 'A case was opened, and its clock started.',
    'casework.case.sent-to-routing': 'A case was sent to routing to find an agent.',
    'casework.case.queued': 'A case waits in a queue, because no agent was available.',
    'casework.case.not-routed': 'Routing rejected a case, so it must be assigned manually.',
    'casework.case.assigned': 'A case was assigned to an agent.',
    'casework.case.linked': 'A case was linked to another record.',
    'casework.case.note-added': 'A note was added to a case.',
    'casework.case.document-attached':
      'A document was attached to a case, or the customer added a version to one.',
    'casework.case.sla-at-risk': 'A case is at risk of missing its deadline.',
    'casework.case.sla-breached': 'A case missed its deadline.',
    ...eventsOf(caseStates),
  },
  data.record({
    caseId: data.id,
    caseType: data.oneOf(CaseType.values),
    partyId: data.orNull(data.id),
    subjects: data.listOf(data.text),
    status: data.oneOf(CaseStatus.values),
    priority: data.oneOf(CasePriority.values),
    assigneeId: data.orNull(data.id),
    queueId: data.orNull(data.id),
    dueAt: data.orNull(data.instant),
    breachedAt: data.orNull(data.instant),
    visibleTo: data.listOf(data.id),
  }),
)
declareSubject('case', Case)

export const documentEvents = declareEvents(
  {
    'casework.document.attached': 'A document was attached.',
    'casework.document.version-added': 'A version was added to a document.',
    'casework.document.held': 'A legal hold was placed on a document.',
    'casework.document.released': 'The legal hold on a document was released.',
    'casework.document.retention-started':
      'The case of a document ended and its retention period started.',
    'casework.document.erased':
      'The content of a document was erased at the end of its retention period.',
  },
  data.record({
    documentId: data.id,
    documentType: data.text,
    partyId: data.orNull(data.id),
    caseId: data.orNull(data.id),
    status: data.oneOf(DocumentStatus.values),
    retentionClass: data.oneOf(RetentionClass.values),
    eraseAt: data.orNull(data.instant),
    isHeld: data.boolean,
    versionNumber: data.integer,
    sha256: data.text,
    sizeBytes: data.integer,
  }),
)
declareSubject('document', Document)

declareEvents(
  { 'casework.upload.requested': 'A signed URL for an upload was issued.' },
  data.record({ contentId: data.id, mediaType: data.text }),
)

export type CaseEvent = keyof typeof caseEvents
export type DocumentEvent = keyof typeof documentEvents
