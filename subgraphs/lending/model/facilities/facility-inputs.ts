import { FacilityKind } from './enumerations.ts'
import { RepaymentMethod, RepaymentFrequency, DayCount } from '../schedules/enumerations.ts'
import {
  boolean,
  date,
  decimal,
  id,
  input,
  integer,
  label,
  money,
  oneOf,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'

export const OpenFacilityInput = input('OpenFacilityInput', 'A facility to open.', {
  facilityId: id(
    'The ID of the new facility; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing facility.',
  ).orNull(),
  customerId: id('The ID of the customer who borrows.'),
  kind: oneOf(FacilityKind, 'The kind of credit that the facility provides.'),
  productId: id('The ID of the product.').orNull(),
  productVersion: label(
    'The label of the product version, such as `2026.10`. Defaults to the version that is ' +
      'active today.',
  ).orNull(),
  applicationId: id('The ID of the loan application from which the facility is opened.').orNull(),
  agreementId: id('The ID of the agreement with the customer.').orNull(),
  limit: money('The credit limit of a revolving facility, or the amount of a loan.'),
  ratePct: decimal('The interest rate in percent per year, from 0 to 10,000.'),
  installments: integer(
    'The number of installments, from 1 to 1,200. Required for loans. A revolving limit ' +
      'defaults to 12 installments or, with `availableTo`, to the number with which it matures ' +
      'after `availableTo`.',
  ).orNull(),
  method: oneOf(
    RepaymentMethod,
    'How the facility is repaid. Defaults to `ANNUITY`; a revolving limit is always ' +
      '`INTEREST_ONLY`.',
  ).orNull(),
  frequency: oneOf(
    RepaymentFrequency,
    'How often an installment is due. Defaults to `MONTHLY`.',
  ).defaultsTo('monthly'),
  everyDays: integer(
    'The length of a period in days, from 1 to 366. Required with the frequency `DAYS`, not ' +
      'allowed with other frequencies.',
  ).orNull(),
  dayCount: oneOf(
    DayCount,
    'The day count convention for interest. Defaults to `THIRTY_360`.',
  ).defaultsTo('thirty-360'),
  balloonAmount: decimal(
    'The principal that is due with the last installment in addition to its regular amount. ' +
      'Required with the method `BALLOON`, not allowed with other methods.',
  ).orNull(),
  settlementArrangementId: id(
    "The ID of the customer's account that receives payouts and from which installments are " +
      'collected. Required if `disburse` is true.',
  ).orNull(),
  disburse: boolean(
    'Whether to pay out to the settlement account immediately. Defaults to false.',
  ).defaultsTo(false),
  disburseAmount: money(
    'The amount to pay out if `disburse` is true. Defaults to the whole limit.',
  ).orNull(),
  openedOn: date(
    'The date on which the facility was opened. Defaults to today. Send a past date to take ' +
      'over an existing loan.',
  ).orNull(),
  availableFrom: date(
    'The first day on which the facility can be drawn. Defaults to `openedOn`.',
  ).orNull(),
  availableTo: date(
    'The last day on which the facility can be drawn. If omitted, there is no last day.',
  ).orNull(),
  requiredCoveragePct: decimal(
    'The collateral that must be allocated, in percent of the amount owed, from 0 to 1,000. If ' +
      'omitted, no collateral is required.',
  ).orNull(),
  minimumDrawdown: money(
    'The minimum amount of a single drawdown, in the currency of the limit. If omitted, there ' +
      'is no minimum.',
  ).orNull(),
  isApprovalRequired: boolean(
    'Whether the bank must approve each drawdown. Defaults to false.',
  ).defaultsTo(false),
})
export type OpenFacilityInput = TypeOf<typeof OpenFacilityInput>

export const ChangeSettlementAccountInput = input(
  'ChangeSettlementAccountInput',
  'A change of the settlement account of a facility.',
  {
    facilityId: id('The ID of the facility.'),
    settlementArrangementId: id(
      'The ID of the new settlement account. It must be an account of the customer in the ' +
        'currency of the facility, and must be neither closed nor pending closure.',
    ),
  },
)
export type ChangeSettlementAccountInput = TypeOf<typeof ChangeSettlementAccountInput>
