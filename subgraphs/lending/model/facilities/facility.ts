import { FacilityKind, FacilityState } from './enumerations.ts'
import {
  boolean,
  currency,
  date,
  decimal,
  entity,
  id,
  instant,
  oneOf,
  shape,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'

/** The fields that `Facility` and `Loan` share. Both types represent the same record. */
export const FacilityFields = shape('FacilityFields', '', {
  customerId: id('The ID of the customer who borrows.'),
  kind: oneOf(FacilityKind, 'The kind of credit that the facility provides.'),
  state: oneOf(FacilityState, 'The lifecycle state of the facility.'),
  currency: currency('The currency of the facility.'),
  ratePct: decimal('The interest rate agreed at opening, in percent per year.'),
  productId: id('The ID of the product; null if the facility was opened without one.').orNull(),
  applicationId: id(
    'The ID of the loan application from which the facility was opened; null if it was opened ' +
      'without one.',
  ).orNull(),
  agreementId: id('The ID of the agreement with the customer; null if none was given.').orNull(),
  openedOn: date('The date on which the facility was opened.'),
  availableFrom: date('The first day on which the facility can be drawn.'),
  availableTo: date(
    'The last day on which the facility can be drawn; null if there is no last day.',
  ).orNull(),
  maturityDate: date(
    'The due date of the last installment; null before there is a schedule.',
  ).orNull(),
  requiredCoveragePct: decimal(
    'The collateral that must be allocated, in percent of the amount owed; null if none is ' +
      'required.',
  ).orNull(),
  isApprovalRequired: boolean('Whether the bank must approve each drawdown.'),
  accruedThrough: date('The last day for which interest has been booked.'),
  createdAt: instant('When the record was created, in UTC.'),
  updatedAt: instant('When the record last changed, in UTC.'),
})
export type FacilityFields = TypeOf<typeof FacilityFields>

export const Facility = entity(
  'Facility',
  'facilityId',
  'A credit line or a loan: the amount that a customer may borrow, and the amount that the ' +
    'customer owes.',
  {
    ...FacilityFields.fields,
    facilityId: id('The ID of the facility.'),
  },
)

export const Loan = entity(
  'Loan',
  'loanId',
  'A facility that is repaid in installments. `loanId` and `facilityId` are the same ID.',
  {
    ...FacilityFields.fields,
    loanId: id('The ID of the loan, equal to the ID of its facility.'),
  },
)
export type Loan = TypeOf<typeof Loan>
