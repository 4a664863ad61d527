import {
  boolean,
  decimal,
  input,
  integer,
  list,
  money,
  object,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ProductFixedTermOffer = shape(
  'ProductFixedTermOffer',
  'A term for which money can be deposited, with its rate.',
  {
    months: integer('The length of the term, in months.'),
    annualRatePct: decimal('The interest rate for the whole term, in percent per year.'),
  },
)

export const ProductEarlyWithdrawal = shape(
  'ProductEarlyWithdrawal',
  'What it costs to withdraw a term deposit before the end of its term. Both penalties are added.',
  {
    noticeDays: integer('The days between the notice and the withdrawal.'),
    penaltyDays: integer('The days of interest, at the rate of the term, that the penalty is.'),
    penaltyRatePct: decimal(
      'The rate, in percent per year, that the penalty is for the days of the deposit. It reduces ' +
        'the rate of the term afterwards.',
    ),
    isPrincipalProtected: boolean(
      'Whether the penalty is never more than the interest of the term after tax.',
    ),
  },
)

export const ProductFixedTerms = shape(
  'ProductFixedTerms',
  'The terms for which money can be deposited at a fixed rate.',
  {
    offers: list(object(ProductFixedTermOffer), 'The terms, in ascending order of `months`.'),
    minimumAmount: money('The smallest deposit; null if there is no limit.').orNull(),
    maximumAmount: money('The largest deposit; null if there is no limit.').orNull(),
    earlyWithdrawal: object(
      ProductEarlyWithdrawal,
      'What a withdrawal before the end of the term costs; null if it is not possible.',
    ).orNull(),
  },
)
export type ProductFixedTerms = TypeOf<typeof ProductFixedTerms>

const ProductFixedTermOfferInput = input(
  'ProductFixedTermOfferInput',
  'A term for which money can be deposited, with its rate.',
  {
    months: integer('The length of the term, from 1 to 120 months.'),
    annualRatePct: decimal(
      'The interest rate for the whole term, in percent per year, from 0 to 100 with at most 6 ' +
        'decimals.',
    ),
  },
)

const ProductEarlyWithdrawalInput = input(
  'ProductEarlyWithdrawalInput',
  'What it costs to withdraw a term deposit before the end of its term. Both penalties are added.',
  {
    noticeDays: integer(
      'The days between the notice and the withdrawal, from 0 to 365. Defaults to 0.',
    ).orNull(),
    penaltyDays: integer(
      'The days of interest, at the rate of the term, that the penalty is, from 0 to 3,650. ' +
        'Defaults to 0.',
    ).orNull(),
    penaltyRatePct: decimal(
      'The rate that the penalty is for the days of the deposit, in percent per year, from 0 to ' +
        '100 with at most 6 decimals. Defaults to 0.',
    ).orNull(),
    isPrincipalProtected: boolean(
      'Whether the penalty is never more than the interest of the term after tax. Defaults to true.',
    ).orNull(),
  },
)

export const ProductFixedTermsInput = input(
  'ProductFixedTermsInput',
  'The terms for which money can be deposited at a fixed rate. Only term deposits can have them. ' +
    'Amounts must be in the only currency of the product.',
  {
    offers: list(
      object(ProductFixedTermOfferInput),
      'From 1 to 20 terms, in ascending order of `months`.',
    ),
    minimumAmount: money('The smallest deposit. If omitted, there is no limit.').orNull(),
    maximumAmount: money(
      'The largest deposit, not below the smallest. If omitted, there is no limit.',
    ).orNull(),
    earlyWithdrawal: object(
      ProductEarlyWithdrawalInput,
      'What a withdrawal before the end of the term costs. If omitted, it is not possible.',
    ).orNull(),
  },
)
export type ProductFixedTermsInput = TypeOf<typeof ProductFixedTermsInput>
