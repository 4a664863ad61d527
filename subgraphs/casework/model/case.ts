import {
  stored,
  type TypeOf,
  boolean,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  oneOf,
  shape,
  string,
  text,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { EntryKind, CaseType, CaseStatus, CasePriority } from './enumerations.ts'

export const CaseClock = shape('CaseClock', 'The time the bank has left to resolve a case.', {
  isRunning: boolean(
    'Whether the clock is running. It pauses while the case waits for the customer, is ' +
      'resolved or has ended.',
  ),
  dueAt: instant('The deadline of the case; null while the clock is paused.').orNull(),
  remainingSeconds: integer(
    'The time left until the deadline, in seconds; negative if the case is overdue.',
  ),
  breachedAt: instant(
    'When the bank first detected that the case was overdue; null if it was never overdue. The ' +
      'value is kept when the clock pauses.',
  ).orNull(),
})
export type CaseClock = TypeOf<typeof CaseClock>

export const Entry = shape('CaseEntry', 'One entry in the timeline of a case.', {
  number: integer('The position of the entry in the timeline, starting at 1.'),
  kind: oneOf(EntryKind, 'The event or note that the entry records.'),
  text: string(
    'The content of the entry, which depends on `kind`; null if there is none.',
  ).orNull(),
  isShared: boolean('Whether the party of the case can read the entry.'),
  at: instant('When the entry was recorded.'),
  caseId: stored<string>(),
  by: string('The user or client who made the entry.').namesActor(),
})
export type Entry = TypeOf<typeof Entry>

export const Case = entity(
  'Case',
  'caseId',
  'A matter that the bank works on for a party, with a deadline.',
  {
    caseId: id('The ID of the case, such as `case_…`.'),
    caseType: oneOf(
      CaseType,
      'The type of the case, which determines how long the bank has to resolve it.',
    ),
    title: string('The title of the case.'),
    description: string('What the case is about; null if not described.').orNull(),
    partyId: id('The ID of the party the case concerns; null if it concerns none.').orNull(),
    subjects: list(
      string(),
      'The records the case is about, each as `<entity>/<id>`, such as `hardship-request/hrd_1`.',
    ),
    status: oneOf(CaseStatus, 'The progress of the case.'),
    priority: oneOf(CasePriority, 'The urgency of the case.'),
    outcome: string(
      'The outcome of a resolved or closed case, or the reason why the case was withdrawn; null ' +
        'in other statuses, and if no reason was given.',
    ).orNull(),
    assigneeId: id('The ID of the agent who works on the case; null if it is unassigned.').orNull(),
    queueId: id(
      'The ID of the queue in which the case waits, or from which its agent took it; null if the ' +
        'case was not queued.',
    ).orNull(),
    openedAt: instant('When the case was opened.'),
    resolvedAt: instant(
      'When the case was resolved; null if it has not been, or was reopened.',
    ).orNull(),
    endedAt: instant('When the case was closed or withdrawn; null before that.').orNull(),
    updatedAt: instant('When the case was last changed.'),
    // The clock of the case. Its type in `domain/clock.ts` describes these four fields.
    dueAt: stored<Date | null>(),
    remainingSeconds: stored<number>(),
    warnAt: stored<Date | null>(),
    breachedAt: stored<Date | null>(),
    /** The ID of the interaction that routes the case to an agent; null if there is none. */
    taskId: stored<string | null>(),
    openedBy: stored<string>(),
    /** The number of timeline entries. */
    entries: stored<number>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
  },
)
export type Case = TypeOf<typeof Case>

export const caseStates = stateMachine(Case, 'status', {
  startCase: {
    description: 'Starts work on an open case.',
    scope: 'cases:write',
    from: ['open'],
    to: 'in-progress',
    event: ['casework.case.started', 'Work on a case started.'],
  },
  waitForCustomer: {
    description: 'Marks a case in progress as waiting for the customer, and pauses its clock.',
    scope: 'cases:write',
    from: ['in-progress'],
    to: 'waiting-for-customer',
    event: [
      'casework.case.waiting-for-customer',
      'A case waits for the customer, and its clock is paused.',
    ],
  },
  resumeCase: {
    description: 'Resumes a case that waits for the customer and restarts its clock.',
    scope: 'cases:write',
    from: ['waiting-for-customer'],
    to: 'in-progress',
    event: ['casework.case.resumed', 'Work on a case resumed after waiting for the customer.'],
  },
  resolveCase: {
    description: 'Resolves a case in progress and pauses its clock.',
    scope: 'cases:write',
    from: ['in-progress'],
    to: 'resolved',
    event: ['casework.case.resolved', 'A case was resolved, and its clock is paused.'],
    set: ({ now }) => ({ resolvedAt: now }),
  },
  reopenCase: {
    description: 'Reopens a resolved case and restarts its clock.',
    scope: 'cases:write',
    from: ['resolved'],
    to: 'in-progress',
    event: ['casework.case.reopened', 'A resolved case was reopened.'],
    set: () => ({ outcome: null, resolvedAt: null }),
    isForDelegatedUsers: true,
  },
  closeCase: {
    description:
      'Closes a resolved case permanently and starts the retention period of its documents.',
    scope: 'cases:write',
    from: ['resolved'],
    to: 'closed',
    event: ['casework.case.closed', 'A case was closed.'],
    set: ({ now }) => ({ endedAt: now }),
  },
  withdrawCase: {
    description:
      'Withdraws a case that is not resolved and starts the retention period of its documents.',
    scope: 'cases:write',
    from: ['open', 'in-progress', 'waiting-for-customer'],
    to: 'withdrawn',
    event: ['casework.case.withdrawn', 'A case was withdrawn.'],
    set: ({ now }) => ({ endedAt: now }),
    isForDelegatedUsers: true,
  },
})
/** A transition of a case, by the name of its mutation. */
export type CaseAction = keyof typeof caseStates.transitions

export const OpenCaseInput = input('OpenCaseInput', 'A new case.', {
  caseId: id('The ID of the case, chosen by the client. Generated if omitted.').orNull(),
  caseType: oneOf(
    CaseType,
    'The type of the case. Customers can open `SERVICING`, `COMPLAINT`, `HARDSHIP` and ' +
      '`DISPUTE` cases.',
  ),
  title: label('The title of the case.'),
  description: text('What the case is about.').orNull(),
  partyId: id(
    'The ID of the party the case concerns. Delegated users must send their own.',
  ).orNull(),
  subjects: list(
    string(),
    'The records the case is about, each as `<entity>/<id>`, such as ' +
      '`hardship-request/hrd_1`; at most 50.',
  ).orNull(),
  priority: oneOf(
    CasePriority,
    'The urgency of the case. Defaults to `NORMAL`. Not available to delegated users.',
  ).orNull(),
  status: label('The initial status; only `open` is allowed, which is the default.').orNull(),
  routingProfileId: id(
    'The ID of a routing profile that finds an agent for the case at once. Not available to ' +
      'delegated users.',
  ).orNull(),
})
export type OpenCaseInput = TypeOf<typeof OpenCaseInput>
