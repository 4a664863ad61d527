import { HardshipType, HardshipReason } from './enumerations.ts'
import { InterestTreatment, TermTreatment } from '../schedules/enumerations.ts'
import {
  amount,
  boolean,
  date,
  decimal,
  id,
  input,
  integer,
  list,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { HardshipActionEnum } from './hardship-request.ts'

export const CreateHardshipRequestInput = input(
  'CreateHardshipRequestInput',
  'A hardship request to submit.',
  {
    loanId: id('The ID of the loan.'),
    hardshipRequestId: id(
      'The ID of the new request; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing hardship request.',
    ).orNull(),
    type: oneOf(HardshipType, 'The kind of relief that is requested.'),
    reason: text("The borrower's explanation, from 1 to 2,000 characters."),
    requestedStartDate: date(
      'The first day for which relief is requested, today or later.',
    ).orNull(),
    requestedEndDate: date('The last day for which relief is requested.').orNull(),
  },
)
export type CreateHardshipRequestInput = TypeOf<typeof CreateHardshipRequestInput>

export const HardshipReliefInput = input(
  'HardshipReliefInput',
  'The relief to grant. Each field applies to the types of request that its description names.',
  {
    startDate: date(
      'The first day of a payment holiday or temporary reduction. Defaults to the requested ' +
        'start date or, if none was requested, to the next due date.',
    ).orNull(),
    installments: integer(
      'The number of installments of a payment holiday or temporary reduction. Defaults to the ' +
        'number of installments due by the requested end date or, if none was requested, to 1.',
    ).orNull(),
    extraInstallments: integer(
      'The number of installments to add, from 1 to 1,200. Required for a term extension, ' +
        'optional for a restructuring or temporary reduction, and ignored for a payment holiday.',
    ).orNull(),
    installmentAmount: amount(
      'The maximum amount of an installment during a temporary reduction, greater than zero. ' +
        'Required for a temporary reduction.',
    ).orNull(),
    ratePct: decimal(
      'The new interest rate of a restructuring, in percent per year, from 0 to 9,999.',
    ).orNull(),
    isArrearsCapitalized: boolean(
      'Whether a restructuring adds the amounts due to the principal. Defaults to false.',
    ).orNull(),
    interestTreatment: oneOf(
      InterestTreatment,
      'What happens to the interest that is not paid during a payment holiday or temporary ' +
        "reduction. For a holiday, defaults to the product's setting. For a reduction, defaults to " +
        '`DEFER`, and `WAIVE` is not allowed.',
    ).orNull(),
    termTreatment: oneOf(
      TermTreatment,
      'How the schedule continues after a payment holiday. Defaults to `EXTEND`.',
    ).orNull(),
  },
)
export type HardshipReliefInput = TypeOf<typeof HardshipReliefInput>

export const ReviewHardshipRequestInput = input(
  'ReviewHardshipRequestInput',
  'An action of a reviewer on a hardship request.',
  {
    hardshipRequestId: id('The ID of the hardship request.'),
    action: oneOf(HardshipActionEnum, 'The action of the reviewer.'),
    relief: object(
      HardshipReliefInput,
      'The relief to grant. Required when the request is approved.',
    ).orNull(),
    reasons: list(
      oneOf(HardshipReason),
      'The reasons for declining, from one to four. Required when the request is declined.',
    ).orNull(),
  },
)
export type ReviewHardshipRequestInput = TypeOf<typeof ReviewHardshipRequestInput>
