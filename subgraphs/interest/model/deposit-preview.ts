import {
  date,
  decimal,
  id,
  input,
  integer,
  label,
  money,
  object,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const EarlyWithdrawalPreview = shape(
  'EarlyWithdrawalPreview',
  'What a term deposit would pay out if it ended before its maturity.',
  {
    withdrawnOn: date('The day on which the deposit would end.'),
    interest: money('The interest until that day, before tax.'),
    penalty: money('What the withdrawal would cost.'),
    paidOut: money('What the funding account would receive.'),
  },
)

export const DepositOpeningPreview = shape(
  'DepositOpeningPreview',
  'What a deposit that is opened today would earn. Nothing is booked.',
  {
    productVersion: label(
      'The version of the product on sale, to send as `acceptedVersion` with the opening.',
    ),
    startsOn: date('The first day of the deposit: today.'),
    endsOn: date('The day on which the term would end; for a savings account, a year from today.'),
    annualRatePct: decimal(
      'The rate for the whole term, in percent per year; null for a savings account, whose rates can ' +
        'change.',
    ).orNull(),
    amount: money('The money with which the deposit begins.'),
    gross: money('The interest until `endsOn`, before tax, at the rates of today.'),
    taxWithheld: money('The tax that would be withheld.'),
    net: money('The interest after tax.'),
    earlyWithdrawal: object(
      EarlyWithdrawalPreview,
      'What an earlier end on `withdrawnOn` would pay out; null if no day was named.',
    ).orNull(),
  },
)
export type DepositOpeningPreview = TypeOf<typeof DepositOpeningPreview>

export const PreviewDepositOpeningInput = input(
  'PreviewDepositOpeningInput',
  'A deposit to preview.',
  {
    productId: id('The ID of the product.'),
    amount: money('The money with which the deposit begins.'),
    months: integer('The length of the term, in months. Omitted for a savings account.').orNull(),
    withdrawnOn: date(
      'A day between today and the maturity on which a term deposit would be withdrawn early.',
    ).orNull(),
  },
)
export type PreviewDepositOpeningInput = TypeOf<typeof PreviewDepositOpeningInput>
