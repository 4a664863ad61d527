import { FacilityMovementKind } from './enumerations.ts'
import {
  boolean,
  currency,
  date,
  decimal,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import type { Certificate } from '../../domain/statements/certificate.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { NextInstallment } from '../schedules/facility-schedule.ts'

export const FacilityDebt = shape(
  'FacilityDebt',
  'What is owed on a facility, by parts. Amounts are in the currency of the facility.',
  {
    principal: decimal('The principal.'),
    interest: decimal('The accrued interest, whether it is due or not.'),
    lateFees: decimal('The late fees.'),
    defaultInterest: decimal('The default interest.'),
    chargedOff: decimal('The amount that was charged off and has not been recovered.'),
    total: decimal('The sum of all parts.'),
  },
)
export type FacilityDebt = TypeOf<typeof FacilityDebt>

export const FacilityMovement = shape(
  'FacilityMovement',
  'One line of the statement of a facility. Amounts are in the currency of the facility. The parts ' +
    'have a sign: a positive amount increases what is owed.',
  {
    kind: oneOf(FacilityMovementKind, 'The kind of the movement.'),
    valueDate: date('The date from which the movement counts.'),
    bookedAt: instant(
      'When the movement was booked, in UTC; null if it is not a posting, such as a change of the rate.',
    ).orNull(),
    text: string('A text that describes the movement.'),
    amount: decimal('The amount that was paid, drawn, charged or due, without a sign.'),
    principal: decimal('The change of the principal.'),
    interest: decimal('The change of the accrued interest.'),
    lateFees: decimal('The change of the unpaid late fees.'),
    defaultInterest: decimal('The change of the unpaid default interest.'),
    chargedOff: decimal('The change of the charged-off amount.'),
    fee: decimal(
      'The upfront fees or the prepayment fee that was paid with the movement. It is not part of ' +
        'the balance. Negative if it was paid back.',
    ),
    balanceAfter: decimal('The total that is owed after the movement.'),
    ratePct: decimal(
      'The interest rate from this day on, in percent per year; null if the rate does not change.',
    ).orNull(),
    drawdownId: id('The ID of the drawdown; null if the movement belongs to none.').orNull(),
    repaymentId: id('The ID of the repayment; null if the movement belongs to none.').orNull(),
    extraPaymentId: id(
      'The ID of the extra payment; null if the movement belongs to none.',
    ).orNull(),
  },
)
export type FacilityMovement = TypeOf<typeof FacilityMovement>

export const FacilityStatement = shape(
  'FacilityStatement',
  'What happened on a facility in a period of whole days (UTC), by value date: `opening` plus all ' +
    'movements is `closing`. A payment that is recorded later with an earlier date is part of the ' +
    'period of that date.',
  {
    facilityId: id('The ID of the facility.'),
    from: date('The first day of the period.'),
    to: date('The last day of the period, inclusive.'),
    currency: currency('The currency of the facility.'),
    opening: object(FacilityDebt, 'What was owed before the first day of the period.'),
    closing: object(FacilityDebt, 'What was owed at the end of the last day of the period.'),
    movements: list(
      object(FacilityMovement),
      'The movements in the period, oldest first. Interest and default interest are one line each up ' +
        'to the next movement.',
    ),
    nextInstallment: object(
      NextInstallment,
      'The first installment after the period, by the schedule at the end of the period; null if ' +
        'there is none.',
    ).orNull(),
    statement: stored<Statement>(),
  },
)
export type FacilityStatement = TypeOf<typeof FacilityStatement>

export const FacilityCertificate = shape(
  'FacilityCertificate',
  'What the borrower paid on a facility in a calendar year, by payment date, and what was owed at its ' +
    'end. A reversed payment is subtracted in the year of its reversal. Amounts are in the currency ' +
    'of the facility.',
  {
    facilityId: id('The ID of the facility.'),
    year: integer('The calendar year.'),
    currency: currency('The currency of the facility.'),
    interestPaid: decimal('The interest that was paid.'),
    lateFeesPaid: decimal('The late fees that were paid.'),
    defaultInterestPaid: decimal('The default interest that was paid.'),
    feesPaid: decimal('The upfront fees and prepayment fees that were paid.'),
    principalRepaid: decimal('The principal that was repaid.'),
    recovered: decimal('The amount that was recovered after a charge-off.'),
    closing: object(FacilityDebt, 'What was owed at the end of the year.'),
    isFinal: boolean(
      'Whether the figures can no longer change: the year ended more than 30 days ago, and all of ' +
        'its days are closed.',
    ),
    certificate: stored<Certificate>(),
  },
)
export type FacilityCertificate = TypeOf<typeof FacilityCertificate>
