import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import {
  casePriorities,
  caseStatuses,
  type CasePriority,
  type CaseStatus,
  type NewCase,
} from '../domain/case.ts'
import { caseTypes, type CaseType } from '../domain/case-type.ts'
import { entryKinds, type EntryKind } from '../domain/timeline.ts'

const CaseTypeEnum = wireEnum(
  'CaseType',
  caseTypes,
  'The type of a case. It determines how long the bank has to resolve the case, in calendar days.',
  {
    servicing: 'A service request of a customer, due in 5 days.',
    complaint: 'A complaint, due in 21 days.',
    hardship: 'A request for help with repayments, due in 21 days.',
    dispute: 'A dispute about a transaction, due 14 days after it was opened.',
    'credit-review': 'A manual review of a credit application, due in 7 days.',
    'kyc-review': "A review of a customer's identity and due diligence data, due in 30 days.",
    fraud: 'A fraud investigation, due in 3 days. Confidential: the party cannot see the case.',
    estate: 'The estate of a deceased customer, due in 90 days.',
  },
)
export const CaseStatusEnum = wireEnum('CaseStatus', caseStatuses, 'The progress of a case.', {
  open: 'The case was opened and nobody has started work on it.',
  'in-progress': 'The bank is working on the case.',
  'waiting-for-customer': "The bank waits for the customer; the case's clock is paused.",
  resolved: 'The case has an outcome and can be reopened or closed; its clock is paused.',
  closed: 'The case is over. This status is final.',
  withdrawn: 'The case was withdrawn before it was resolved. This status is final.',
})
const CasePriorityEnum = wireEnum('CasePriority', casePriorities, 'The urgency of a case.', {
  low: 'Less urgent than usual.',
  normal: 'The default urgency.',
  high: 'More urgent than usual.',
  urgent: 'More urgent than all other priorities.',
})
const EntryKindEnum = wireEnum(
  'CaseEntryKind',
  entryKinds,
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

@ObjectType({ description: 'The time the bank has left to resolve a case.' })
export class CaseClock {
  @Field(() => Boolean, {
    description:
      'Whether the clock is running. It pauses while the case waits for the customer, is ' +
      'resolved or has ended.',
  })
  isRunning: boolean

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The deadline of the case; null while the clock is paused.',
  })
  dueAt: Date | null

  @Field(() => Int, {
    description: 'The time left until the deadline, in seconds; negative if the case is overdue.',
  })
  remainingSeconds: number

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the bank first detected that the case was overdue; null if it was never overdue. The ' +
      'value is kept when the clock pauses.',
  })
  breachedAt: Date | null
}

@ObjectType({ description: 'One entry in the timeline of a case.' })
export class CaseEntry {
  @Field(() => Int, { description: 'The position of the entry in the timeline, starting at 1.' })
  number: number

  @Field(() => EntryKindEnum, { description: 'The event or note that the entry records.' })
  kind: EntryKind

  @Field(() => String, {
    nullable: true,
    description: 'The content of the entry, which depends on `kind`; null if there is none.',
  })
  text: string | null

  @Field(() => Boolean, { description: 'Whether the party of the case can read the entry.' })
  isShared: boolean

  @Field(() => DateTimeScalar, { description: 'When the entry was recorded.' })
  at: Date
}

export const CaseEntryConnection = connectionOf('CaseEntry', () => CaseEntry)

@ObjectType({ description: 'A matter that the bank works on for a party, with a deadline.' })
@Directive('@key(fields: "caseId")')
export class Case {
  @Field(() => ID, { description: 'The ID of the case, such as `case_…`.' })
  caseId: string

  @Field(() => CaseTypeEnum, {
    description: 'The type of the case, which determines how long the bank has to resolve it.',
  })
  caseType: CaseType

  @Field(() => String, { description: 'The title of the case.' })
  title: string

  @Field(() => String, {
    nullable: true,
    description: 'What the case is about; null if not described.',
  })
  description: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the party the case concerns; null if it concerns none.',
  })
  partyId: string | null

  @Field(() => [String], {
    description:
      'The records the case is about, each as `<entity>/<id>`, such as `hardship-request/hrd_1`.',
  })
  subjects: readonly string[]

  @Field(() => CaseStatusEnum, { description: 'The progress of the case.' })
  status: CaseStatus

  @Field(() => CasePriorityEnum, { description: 'The urgency of the case.' })
  priority: CasePriority

  @Field(() => String, {
    nullable: true,
    description:
      'The outcome of a resolved or closed case, or the reason why the case was withdrawn; null ' +
      'in other statuses, and if no reason was given.',
  })
  outcome: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the agent who works on the case; null if it is unassigned.',
  })
  assigneeId: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the queue in which the case waits, or from which its agent took it; null if the ' +
      'case was not queued.',
  })
  queueId: string | null

  @Field(() => DateTimeScalar, { description: 'When the case was opened.' })
  openedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the case was resolved; null if it has not been, or was reopened.',
  })
  resolvedAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the case was closed or withdrawn; null before that.',
  })
  endedAt: Date | null

  @Field(() => DateTimeScalar, { description: 'When the case was last changed.' })
  updatedAt: Date
}

export const CaseConnection = connectionOf('Case', () => Case)

@InputType({ description: 'A new case.' })
export class OpenCaseInput implements NewCase {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the case, chosen by the client. Generated if omitted.',
  })
  caseId?: string | null

  @Field(() => CaseTypeEnum, {
    description:
      'The type of the case. Customers can open `SERVICING`, `COMPLAINT`, `HARDSHIP` and ' +
      '`DISPUTE` cases.',
  })
  caseType: CaseType

  @Field(() => LabelScalar, { description: 'The title of the case.' })
  title: string

  @Field(() => TextScalar, { nullable: true, description: 'What the case is about.' })
  description?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the party the case concerns. Delegated users must send their own.',
  })
  partyId?: string | null

  @Field(() => [String], {
    nullable: true,
    description:
      'The records the case is about, each as `<entity>/<id>`, such as ' +
      '`hardship-request/hrd_1`; at most 50.',
  })
  subjects?: string[] | null

  @Field(() => CasePriorityEnum, {
    nullable: true,
    description: 'The urgency of the case. Defaults to `NORMAL`. Not available to delegated users.',
  })
  priority?: CasePriority | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The initial status; only `open` is allowed, which is the default.',
  })
  status?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of a routing profile that finds an agent for the case at once. Not available to ' +
      'delegated users.',
  })
  routingProfileId?: string | null
}
