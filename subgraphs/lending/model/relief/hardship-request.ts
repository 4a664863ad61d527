import { HardshipType, HardshipStatus, HardshipReason } from './enumerations.ts'
import {
  date,
  entity,
  enumeration,
  id,
  instant,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { stateMachine } from '../../../../kernel/domain/state-machine.ts'
import type { AmendmentEffect } from '../../domain/schedules/version.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.ts'
import { Installment } from '../schedules/schedule.ts'

export const HardshipActionEnum = enumeration(
  'HardshipAction',
  'An action of a reviewer on a hardship request.',
  {
    start: 'Starts the review.',
    approve: 'Approves the request and grants the relief.',
    decline: 'Declines the request.',
  },
)

export const HardshipRequest = entity(
  'HardshipRequest',
  'hardshipRequestId',
  'A request for relief by a borrower who cannot pay as agreed.',
  {
    hardshipRequestId: id('The ID of the hardship request.'),
    loanId: id('The ID of the loan.'),
    type: oneOf(HardshipType, 'The kind of relief that is requested.'),
    reason: text("The borrower's explanation."),
    requestedStartDate: date(
      'The first day for which relief is requested; null if none was given.',
    ).orNull(),
    requestedEndDate: date(
      'The last day for which relief is requested; null if none was given.',
    ).orNull(),
    status: oneOf(HardshipStatus, 'The lifecycle state of the request.'),
    submittedAt: instant('When the request was submitted, in UTC.'),
    decisionDueBy: instant("The deadline for the bank's decision, in UTC."),
    decidedAt: instant(
      'When the request was approved or declined, in UTC; null while it is undecided, and if it ' +
        'was withdrawn.',
    ).orNull(),
    declineReasons: list(
      oneOf(HardshipReason),
      'The reasons why the request was declined; empty if it was not declined.',
    ),
    paymentHolidayId: id(
      'The ID of the payment holiday that was granted; null if none was granted.',
    ).orNull(),
    scheduleVersion: integer(
      'The number of the schedule version that the relief created; null unless the request is ' +
        'approved.',
    ).orNull(),
    partyId: stored<string>(),
    currency: stored<string>(),
    submittedBy: stored<string>(),
    /**
     * The time at which the request is escalated; null once it is escalated, decided or withdrawn.
     */
    escalateAt: stored<Date | null>(),
    caseId: stored<string>(),
    /** Whether the case is still to be opened, was opened, or could not be opened. */
    caseState: stored<'wanted' | 'opened' | 'refused'>(),
    decidedBy: stored<string | null>(),
    effect: stored<AmendmentEffect | null>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
    updatedAt: stored<Date>(),
  },
)
export type HardshipRequest = TypeOf<typeof HardshipRequest>

/** A review of the bank makes the other transitions. It is one mutation for all of them. */
export const hardshipStates = stateMachine(
  HardshipRequest,
  'status',
  {
    cancelHardshipRequest: {
      description: 'Withdraws a hardship request that has not been decided.',
      scope: 'lending:write',
      from: ['submitted', 'under-review'],
      to: 'cancelled',
      event: ['lending.hardship-request.cancelled', 'A hardship request was withdrawn.'],
      set: () => ({ escalateAt: null }),
      isForDelegatedUsers: true,
    },
  },
  { submitted: ['under-review'], 'under-review': ['approved', 'declined'] },
)

export const HardshipReliefPreview = shape(
  'HardshipReliefPreview',
  'The effects that approving a hardship request would have. Nothing is stored.',
  {
    before: object(ScheduleFigures, 'The key figures of the current schedule.'),
    after: object(ScheduleFigures, 'The key figures of the schedule after the relief.'),
    additionalCost: money(
      'The interest that the relief adds over the whole term; negative if the relief saves ' +
        'interest.',
    ),
    installments: list(object(Installment), 'The installments of the schedule after the relief.'),
  },
)
export type HardshipReliefPreview = TypeOf<typeof HardshipReliefPreview>
