import {
  entity,
  enumeration,
  id,
  input,
  instant,
  integer,
  label,
  list,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

export const ErasureState = enumeration('ErasureState', 'The progress of an erasure.', {
  proposed: 'The erasure waits for the approval of a second person.',
  approved: 'A job is erasing the data.',
  rejected: 'A second person rejected the erasure. This state is final.',
  completed: 'The data is erased, and the report is complete. This state is final.',
})
export type ErasureState = TypeOf<typeof ErasureState>

export const ErasureCause = enumeration('ErasureCause', 'Why data is erased.', {
  request: 'The person requested it (GDPR article 17).',
  retention: 'A retention period ended.',
})
export type ErasureCause = TypeOf<typeof ErasureCause>

export const ErasureAction = enumeration('ErasureAction', 'What an erasure did with data.', {
  erased: 'The values were removed or replaced; the records stay.',
  deleted: 'The records were deleted.',
  kept: 'A law or another reason requires the bank to keep the data.',
})
export type ErasureAction = TypeOf<typeof ErasureAction>

export const ErasureRequest = entity(
  'ErasureRequest',
  'erasureRequestId',
  'An erasure of the data of one party or employee, which a second person approves.',
  {
    erasureRequestId: id('The ID of the erasure request, such as `ers_…`.').inEvents(),
    partyId: id('The ID of the party whose data is erased; null if it is the data of an employee.')
      .orNull()
      .inEvents(),
    username: string(
      'The username of the employee whose data is erased; null if it is the data of a party.',
    )
      .orNull()
      .inEvents(),
    cause: oneOf(ErasureCause, 'Why the data is erased.').inEvents(),
    reason: text('The reason given for the erasure.'),
    state: oneOf(ErasureState, 'The progress of the erasure.').inEvents(),
    endedAt: instant(
      'When the relationship with the party, or the employment, ended, in UTC. The retention ' +
        'periods start then.',
    ),
    proposedBy: string('The access token subject of the person who proposed the erasure.'),
    decidedBy: string(
      'The access token subject of the person who approved or rejected the erasure; null while ' +
        'it is proposed.',
    ).orNull(),
    decidedAt: instant(
      'When the erasure was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    completedAt: instant('When the erasure was completed, in UTC; null before that.').orNull(),
    createdAt: instant('When the erasure was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type ErasureRequest = TypeOf<typeof ErasureRequest>

export const erasureStates = stateMachine(
  ErasureRequest,
  'state',
  {
    approveErasure: {
      description:
        'Approves an erasure, which a job then performs. The person who proposed it cannot ' +
        'approve it. Rejected with `ERASURE_BLOCKED` while the party has open business.',
      scope: 'privacy:approve',
      needsPerson: true,
      from: ['proposed'],
      to: 'approved',
      event: ['privacy.erasure-request.approved', 'A second person approved an erasure.'],
      set: ({ now, subject }) => ({ decidedAt: now, decidedBy: subject }),
    },
    rejectErasure: {
      description:
        'Rejects an erasure; nothing is erased. The person who proposed it cannot reject it.',
      scope: 'privacy:approve',
      needsPerson: true,
      from: ['proposed'],
      to: 'rejected',
      event: ['privacy.erasure-request.rejected', 'A second person rejected an erasure.'],
      set: ({ now, subject }) => ({ decidedAt: now, decidedBy: subject }),
    },
  },
  { approved: ['completed'] },
)

export const ErasureLine = shape(
  'ErasureLine',
  'What an erasure did with some columns of one table: one line of its report.',
  {
    area: string('The area of the bank that stores the data, such as `payments`.'),
    tableName: string('The table, such as `payments.payment`.'),
    columns: list(string(), 'The columns with personal data to which the line applies.'),
    action: oneOf(ErasureAction, 'What was done with the data.'),
    rowCount: integer('The number of records that were erased or deleted.'),
    keptCount: integer('The number of records whose data was kept.'),
    reason: string('Why data was kept; null if none was kept.').orNull(),
    keptUntil: instant(
      'When the data will be erased, in UTC; null if none was kept or no time is determined.',
    ).orNull(),
  },
)
export type ErasureLine = TypeOf<typeof ErasureLine>

export const ProposeErasureInput = input('ProposeErasureInput', 'The erasure to propose.', {
  erasureRequestId: id('The ID of the erasure request. Generated if omitted.').orNull(),
  partyId: id(
    'The ID of the party whose data is to be erased. Give either this or `username`.',
  ).orNull(),
  username: label(
    'The username of the former employee whose data is to be erased. Give either this or `partyId`.',
  ).orNull(),
  reason: text('The reason for the erasure, such as the request of the person.'),
})
export type ProposeErasureInput = TypeOf<typeof ProposeErasureInput>
