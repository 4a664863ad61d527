import { declareEvents } from '../../kernel/events/events.ts'

export const caseEvents = declareEvents({
  'casework.case.opened': 'A case was opened, and its clock started.',
  'casework.case.started': 'Work on a case started.',
  'casework.case.waiting-for-customer': 'A case waits for the customer, and its clock is paused.',
  'casework.case.resumed': 'Work on a case resumed after waiting for the customer.',
  'casework.case.resolved': 'A case was resolved, and its clock is paused.',
  'casework.case.reopened': 'A resolved case was reopened.',
  'casework.case.closed': 'A case was closed.',
  'casework.case.withdrawn': 'A case was withdrawn.',
  'casework.case.sent-to-routing': 'A case was sent to routing to find an agent.',
  'casework.case.queued': 'A case waits in a queue, because no agent was available.',
  'casework.case.not-routed': 'Routing rejected a case, so it must be assigned manually.',
  'casework.case.assigned': 'A case was assigned to an agent.',
  'casework.case.linked': 'A case was linked to another record.',
  'casework.case.note-added': 'A note was added to a case.',
  'casework.case.document-attached': 'A document was attached to a case.',
  'casework.case.sla-at-risk': 'A case is at risk of missing its deadline.',
  'casework.case.sla-breached': 'A case missed its deadline.',
})

export const documentEvents = declareEvents({
  'casework.document.attached': 'A document was attached.',
  'casework.document.version-added': 'A version was added to a document.',
  'casework.document.held': 'A legal hold was placed on a document.',
  'casework.document.released': 'The legal hold on a document was released.',
  'casework.document.retention-started':
    'The case of a document ended and its retention period started.',
  'casework.document.erased':
    'The content of a document was erased at the end of its retention period.',
})

declareEvents({
  'casework.upload.requested': 'A signed URL for an upload was issued.',
})

export type CaseEvent = keyof typeof caseEvents
export type DocumentEvent = keyof typeof documentEvents
