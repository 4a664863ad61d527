import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const CaseType = enumeration(
  'CaseType',
  'The type of a case. It determines how long the bank has to resolve the case, in calendar days.',
  {
    servicing: 'A service request of a customer, due in 5 days.',
    complaint: 'A complaint, due in 21 days.',
    hardship: 'A request for help with repayments, due in 21 days.',
    dispute: 'A dispute about a transaction, due 14 days after it was opened.',
    'credit-review': 'A manual review of a credit application, due in 7 days.',
    'kyc-review': "A review of a customer's identity and due diligence data, due in 30 days.",
    fraud: 'A fraud investigation, due in 3 days. Confidential: the party cannot see the case.',
    collections: 'Arrears that the bank pursues, due in 30 days. The party cannot see the case.',
    estate: 'The estate of a deceased customer, due in 90 days.',
  },
)
export type CaseType = TypeOf<typeof CaseType>

export const CaseStatus = enumeration('CaseStatus', 'The progress of a case.', {
  open: 'The case was opened and nobody has started work on it.',
  'in-progress': 'The bank is working on the case.',
  'waiting-for-customer': "The bank waits for the customer; the case's clock is paused.",
  resolved: 'The case has an outcome and can be reopened or closed; its clock is paused.',
  closed: 'The case is over. This status is final.',
  withdrawn: 'The case was withdrawn before it was resolved. This status is final.',
})
export type CaseStatus = TypeOf<typeof CaseStatus>

export const CasePriority = enumeration('CasePriority', 'The urgency of a case.', {
  low: 'Less urgent than usual.',
  normal: 'The default urgency.',
  high: 'More urgent than usual.',
  urgent: 'More urgent than all other priorities.',
})
export type CasePriority = TypeOf<typeof CasePriority>

export const EntryKind = enumeration(
  'CaseEntryKind',
  'The event or note that a timeline entry of a case records.',
  {
    opened: 'The case was opened.',
    started: 'Work on the case started.',
    'waiting-for-customer':
      'The case was marked as waiting for the customer. The text is the question to the customer.',
    resumed: 'Work on the case resumed after waiting for the customer.',
    resolved: 'The case was resolved. The text is the outcome.',
    reopened: 'The resolved case was reopened. The text is the reason.',
    closed: 'The case was closed.',
    withdrawn: 'The case was withdrawn. The text is the reason.',
    assigned: "The case was assigned to an agent. The text is the agent's ID.",
    'sent-to-routing':
      'The case was sent to a routing profile to find an agent. The text is the routing ' +
      "profile's ID.",
    queued: "No agent was free and the case waits in a queue. The text is the queue's ID.",
    'not-routed': 'Routing rejected the case. The text is the problem code.',
    linked:
      'The case was linked to a record. The text is the record, such as `hardship-request/hrd_1`.',
    note: 'A note was added. The text is the note.',
    document: "A document was attached. The text is the document's ID.",
    'at-risk': 'The deadline of the case is close.',
    breached: 'The case missed its deadline.',
  },
)
export type EntryKind = TypeOf<typeof EntryKind>

export const RetentionClass = enumeration(
  'RetentionClass',
  'The reason why a document is retained, which determines the retention period. The period ' +
    'starts when the case of the document ends. For a document without a case, it starts with ' +
    'the newest version.',
  {
    'short-term': 'The document is retained for three months.',
    servicing: 'The document is retained for 2 years.',
    complaint: 'The document is retained for 3 years.',
    'due-diligence': 'The document is retained for 5 years.',
    contract: 'The document is retained for 10 years.',
  },
)
export type RetentionClass = TypeOf<typeof RetentionClass>

export const DocumentStatus = enumeration(
  'DocumentStatus',
  'Whether the content of a document still exists.',
  {
    active: 'The content of the document is available.',
    erased: 'The content was erased at the end of its retention period. This status is final.',
  },
)
export type DocumentStatus = TypeOf<typeof DocumentStatus>
