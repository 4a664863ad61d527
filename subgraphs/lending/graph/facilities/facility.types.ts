import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LocalDateScalar,
} from '../../../../kernel/graph/scalars.ts'
import {
  facilityKinds,
  facilityStates,
  type FacilityKind,
  type FacilityState,
} from '../../domain/facilities/facility.ts'

export const FacilityKindEnum = wireEnum(
  'FacilityKind',
  facilityKinds,
  'The kind of credit that a facility provides. All kinds except `REVOLVING` are loans.',
  {
    'consumer-loan': 'A loan to a consumer, repaid in installments.',
    mortgage: 'A loan secured by real estate, repaid in installments.',
    'sme-facility': 'A loan to a small or medium-sized enterprise, repaid in installments.',
    revolving: 'A credit line whose repaid principal can be drawn again.',
  },
)
export const FacilityStateEnum = wireEnum(
  'FacilityState',
  facilityStates,
  'The lifecycle state of a facility.',
  {
    approved: 'The facility is open and nothing has been drawn yet.',
    active: 'Money has been drawn and nothing is past due.',
    'in-arrears': 'At least one installment is past due.',
    matured: 'The revolving limit reached its maturity date and is repaid. This state is final.',
    'paid-off': 'The loan was repaid in full. This state is final.',
    'charged-off':
      'The receivable was removed from the books as a loss. The debt still exists and can be ' +
      'recovered.',
    recovered: 'The whole charged-off amount was recovered. This state is final.',
    'written-off':
      'The debt was removed from the books and can no longer be recovered. This state is final.',
    cancelled: 'The facility was cancelled before anything was drawn. This state is final.',
  },
)

/** The fields that `Facility` and `Loan` share. Both types represent the same record. */
@ObjectType()
export abstract class FacilityFields {
  @Field(() => ID, { description: 'The ID of the customer who borrows.' })
  customerId: string

  @Field(() => FacilityKindEnum, { description: 'The kind of credit that the facility provides.' })
  kind: FacilityKind

  @Field(() => FacilityStateEnum, { description: 'The lifecycle state of the facility.' })
  state: FacilityState

  @Field(() => CurrencyScalar, { description: 'The currency of the facility.' })
  currency: string

  @Field(() => DecimalScalar, {
    description: 'The interest rate agreed at opening, in percent per year.',
  })
  ratePct: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the product; null if the facility was opened without one.',
  })
  productId: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the loan application from which the facility was opened; null if it was opened ' +
      'without one.',
  })
  applicationId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the agreement with the customer; null if none was given.',
  })
  agreementId: string | null

  @Field(() => LocalDateScalar, { description: 'The date on which the facility was opened.' })
  openedOn: string

  @Field(() => LocalDateScalar, {
    description: 'The first day on which the facility can be drawn.',
  })
  availableFrom: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day on which the facility can be drawn; null if there is no last day.',
  })
  availableTo: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The due date of the last installment; null before there is a schedule.',
  })
  maturityDate: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The collateral that must be allocated, in percent of the amount owed; null if none is ' +
      'required.',
  })
  requiredCoveragePct: string | null

  @Field(() => Boolean, { description: 'Whether the bank must approve each drawdown.' })
  isApprovalRequired: boolean

  @Field(() => LocalDateScalar, { description: 'The last day for which interest has been booked.' })
  accruedThrough: string

  @Field(() => DateTimeScalar, { description: 'When the record was created, in UTC.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the record last changed, in UTC.' })
  updatedAt: Date
}

@ObjectType({
  description:
    'A credit line or a loan: the amount that a customer may borrow, and the amount that the ' +
    'customer owes.',
})
@Directive('@key(fields: "facilityId")')
export class Facility extends FacilityFields {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string
}

@ObjectType({
  description:
    'A facility that is repaid in installments. `loanId` and `facilityId` are the same ID.',
})
@Directive('@key(fields: "loanId")')
export class Loan extends FacilityFields {
  @Field(() => ID, { description: 'The ID of the loan, equal to the ID of its facility.' })
  loanId: string
}

export const FacilityConnection = connectionOf('Facility', () => Facility)
