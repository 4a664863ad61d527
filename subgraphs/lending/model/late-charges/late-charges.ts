import {
  DefaultInterestBase,
  LateChargePauseReason,
  LateChargeWaiverReason,
} from './enumerations.ts'
import {
  boolean,
  date,
  decimal,
  id,
  input,
  integer,
  money,
  object,
  oneOf,
  shape,
  string,
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
    '`lateChargeGraceDays`, `maximumLateChargesPct` and `areLateChargesPaidLast` define it.',
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
    maximumPct: decimal(
      'The most that the late charges of an installment can be, in percent of its interest and ' +
        'principal; null if nothing was agreed.',
    ).orNull(),
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

export const LateChargePause = shape(
  'LateChargePause',
  'A period without late charges. Its days count neither for default interest nor for the days of grace.',
  {
    from: date('The first day for which nothing is charged.'),
    until: date('The last day for which nothing is charged, as agreed.'),
    endedOn: date(
      'The day from which charges apply again because the pause was ended early; null if it was not.',
    ).orNull(),
    reason: oneOf(LateChargePauseReason, 'Why the charges are paused.'),
    pausedBy: string(
      'The access token subject of the employee who paused the charges.',
    ).namesActor(),
    endedBy: string(
      'The access token subject of the employee who ended the pause early; null if nobody did.',
    )
      .orNull()
      .namesActor(),
  },
)
export type LateChargePause = TypeOf<typeof LateChargePause>

export const PauseLateChargesInput = input(
  'PauseLateChargesInput',
  'A period without late charges.',
  {
    facilityId: id('The ID of the facility.'),
    from: date(
      'The first day for which nothing is charged; today if omitted. It must not be in the past.',
    ).orNull(),
    until: date(
      'The last day for which nothing is charged. The product parameter `hardshipReliefMonths` ' +
        'limits the period, to 12 months by default.',
    ),
    reason: oneOf(LateChargePauseReason, 'Why the charges are paused.'),
  },
)
export type PauseLateChargesInput = TypeOf<typeof PauseLateChargesInput>
