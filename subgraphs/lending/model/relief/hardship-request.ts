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
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { ScheduleFigures } from '../schedules/facility-schedule.ts'
import { Installment } from '../schedules/schedule.ts'
import { CaseStub } from '../facilities/references.ts'

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
    case: object(
      CaseStub,
      'The case in which the request is handled; null until the case is opened, and if it could ' +
        'not be opened.',
    ).orNull(),
    paymentHolidayId: id(
      'The ID of the payment holiday that was granted; null if none was granted.',
    ).orNull(),
    before: object(
      ScheduleFigures,
      'The key figures of the schedule before the relief; null unless the request is approved.',
    ).orNull(),
    after: object(
      ScheduleFigures,
      'The key figures of the schedule after the relief; null unless the request is approved.',
    ).orNull(),
    scheduleVersion: integer(
      'The number of the schedule version that the relief created; null unless the request is ' +
        'approved.',
    ).orNull(),
  },
)
export type HardshipRequest = TypeOf<typeof HardshipRequest>

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
