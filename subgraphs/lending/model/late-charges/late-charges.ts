import { DefaultInterestBase, LateChargeWaiverReason } from './enumerations.ts'
import {
  boolean,
  decimal,
  id,
  input,
  integer,
  money,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'

export const LateFee = shape(
  'LateFee',
  'The fee for a late installment: an amount, or a percentage of the installment. Both are null ' +
    'if the fee of the product has tiers.',
  {
    amount: money('The amount of the fee; null if it is a percentage.').orNull(),
    percent: decimal(
      'The fee in percent of the interest and principal of the installment; null if it is an amount.',
    ).orNull(),
    minimum: money('The smallest fee; null if there is none.').orNull(),
    maximum: money('The largest fee; null if there is none.').orNull(),
  },
)
export type LateFee = TypeOf<typeof LateFee>

export const LateChargeTerms = shape(
  'LateChargeTerms',
  'What late payment costs, as agreed when the facility was opened. The fee of the product with ' +
    'the frequency `PER_LATE_INSTALLMENT` and its parameters `defaultInterestPct`, `defaultInterestBase`, ' +
    '`lateChargeGraceDays` and `areLateChargesPaidLast` define it.',
  {
    fee: object(LateFee, 'The fee for each late installment; null if there is none.').orNull(),
    defaultInterestPct: decimal(
      'The rate of default interest in percent per year; `0` if there is none.',
    ),
    defaultInterestBase: oneOf(
      DefaultInterestBase,
      'The overdue amount on which default interest is charged.',
    ),
    graceDays: integer(
      'The number of days past due after which late charges apply. Default interest is then ' +
        'charged from the due date.',
    ),
    arePaidLast: boolean(
      'Whether payments cover late charges after the interest and principal of all installments ' +
        'that are due. Otherwise, they cover the late charges of each installment first.',
    ),
  },
)
export type LateChargeTerms = TypeOf<typeof LateChargeTerms>

export const WaiveLateChargesInput = input(
  'WaiveLateChargesInput',
  'The late charges that the bank waives.',
  {
    facilityId: id('The ID of the facility.'),
    installment: integer('The number of the installment whose unpaid late charges are waived.'),
    reason: oneOf(LateChargeWaiverReason, 'Why the charges are waived.'),
  },
)
export type WaiveLateChargesInput = TypeOf<typeof WaiveLateChargesInput>
