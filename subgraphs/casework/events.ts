import { declareEvents } from '../_kernel/events.ts'

export const caseEvents = declareEvents({
  'casework.case.opened': 'There is a new case; its clock runs.',
  'casework.case.started': 'Somebody works on a case.',
  'casework.case.waiting-for-customer': 'A case waits for its customer; its clock stands.',
  'casework.case.resumed': 'A case waits no more; its clock runs on.',
  'casework.case.resolved': 'A case has an outcome; its clock stands.',
  'casework.case.reopened': 'A resolved case is worked on again.',
  'casework.case.closed': 'A case has ended.',
  'casework.case.withdrawn': 'A case was given up.',
  'casework.case.sent-to-routing': 'A case looks for somebody.',
  'casework.case.queued': 'Nobody is free for a case; it waits in a queue.',
  'casework.case.not-routed': 'The routing of a case was refused.',
  'casework.case.assigned': 'Somebody has a case.',
  'casework.case.linked': 'A case is about something more.',
  'casework.case.note-added': 'A note was added to a case.',
  'casework.case.document-attached': 'A document was added to a case.',
  'casework.case.sla-at-risk': 'The time for a case is nearly over.',
  'casework.case.sla-breached': 'The time for a case is over, and it is open.',
})

export const documentEvents = declareEvents({
  'casework.document.attached': 'There is a new document.',
  'casework.document.version-added': 'A document has another version.',
  'casework.document.held': 'A document is kept, whatever its class says.',
  'casework.document.released': 'A document is no longer held.',
  'casework.document.retention-started':
    'The matter of a document has ended; the time it is kept runs.',
  'casework.document.erased': 'The content of a document was given up, at its time.',
})

declareEvents({
  'casework.upload.requested': 'An address was given out to send content to.',
})

export type CaseEvent = keyof typeof caseEvents
export type DocumentEvent = keyof typeof documentEvents
