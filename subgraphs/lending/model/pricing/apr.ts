import { AprConvention } from './enumerations.ts'
import {
  date,
  decimal,
  input,
  list,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'

export const CashFlow = input(
  'CashFlowInput',
  'A cash flow, placed either by its date or by its number of unit periods.',
  {
    amount: decimal('The amount, zero or more, in the currency of the loan.'),
    on: date(
      'The date of the cash flow. Either all cash flows have a date or all have a period.',
    ).orNull(),
    period: decimal(
      'When the cash flow occurs, in unit periods. Only the differences between periods matter. ' +
        'Either all cash flows have a period or all have a date.',
    ).orNull(),
  },
)
export type CashFlow = TypeOf<typeof CashFlow>

export const AnnualPercentageRateInput = input(
  'AnnualPercentageRateInput',
  'The cash flows of a loan. Either all of them have dates or all have periods.',
  {
    convention: oneOf(AprConvention, 'The method of computation. Defaults to `EU`.').defaultsTo(
      'eu',
    ),
    advances: list(
      object(CashFlow),
      'The amounts paid to the borrower: from 1 to 1,200 cash flows.',
    ),
    payments: list(
      object(CashFlow),
      'The amounts paid by the borrower, including fees: from 1 to 1,200 cash flows.',
    ),
    unitPeriodsPerYear: decimal(
      'The number of unit periods in a year, such as 12, 24 or 52, from 0.1 to 366. Required if ' +
        'the cash flows have periods. If they have dates, `EU` ignores the number, and ' +
        '`US_ACTUARIAL` derives the unit period if the number is omitted.',
    ).orNull(),
  },
)
export type AnnualPercentageRateInput = TypeOf<typeof AnnualPercentageRateInput>

export const AnnualPercentageRate = shape(
  'AnnualPercentageRate',
  'The annual percentage rate of a loan.',
  {
    percent: decimal('The rate in percent per year, with six decimals.'),
  },
)
export type AnnualPercentageRate = TypeOf<typeof AnnualPercentageRate>
