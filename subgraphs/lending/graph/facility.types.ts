import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
} from '../../_kernel/scalars.ts'
import type { RepaymentFrequency } from '../domain/calendar.ts'
import type { DayCount } from '../domain/day-count.ts'
import {
  facilityKinds,
  facilityStates,
  type FacilityKind,
  type FacilityState,
} from '../domain/facility.ts'
import type { RepaymentMethod } from '../domain/loan.ts'
import { DayCountEnum, RepaymentFrequencyEnum, RepaymentMethodEnum } from './schedule.types.ts'

export const FacilityKindEnum = wireEnum(
  'FacilityKind',
  facilityKinds,
  'What is lent: loans that are repaid in instalments, or a limit that is drawn again.',
)
export const FacilityStateEnum = wireEnum(
  'FacilityState',
  facilityStates,
  'Where a facility stands.',
)

/** What a facility and a loan show alike: they are one record. */
@ObjectType()
export abstract class FacilityFields {
  @Field(() => ID)
  customerId: string

  @Field(() => FacilityKindEnum)
  kind: FacilityKind

  @Field(() => FacilityStateEnum)
  state: FacilityState

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar, { description: 'Percent a year, as agreed at first.' })
  ratePct: string

  @Field(() => ID, { nullable: true })
  productId: string | null

  @Field(() => ID, { nullable: true })
  applicationId: string | null

  @Field(() => ID, { nullable: true })
  agreementId: string | null

  @Field(() => LocalDateScalar)
  openedOn: string

  @Field(() => LocalDateScalar)
  availableFrom: string

  @Field(() => LocalDateScalar, { nullable: true })
  availableTo: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'Of a loan that is drawn.' })
  maturityDate: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'How much collateral must be allocated, in percent of what is owed.',
  })
  requiredCoveragePct: string | null

  @Field(() => Boolean, { description: 'Whether somebody of the bank approves each drawdown.' })
  isApprovalRequired: boolean

  @Field(() => LocalDateScalar, { description: 'The last day whose interest is booked.' })
  accruedThrough: string

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

@ObjectType({ description: 'What a customer may borrow, and owes.' })
@Directive('@key(fields: "facilityId")')
export class Facility extends FacilityFields {
  @Field(() => ID)
  facilityId: string
}

@ObjectType({ description: 'A facility that is repaid in instalments; both ids are one.' })
@Directive('@key(fields: "loanId")')
export class Loan extends FacilityFields {
  @Field(() => ID)
  loanId: string
}

export const FacilityConnection = connectionOf('Facility', () => Facility)

@InputType({ description: 'A facility to open.' })
export class OpenFacilityInput {
  @Field(() => ID, { nullable: true })
  facilityId?: string | null

  @Field(() => ID)
  customerId: string

  @Field(() => FacilityKindEnum)
  kind: FacilityKind

  @Field(() => ID, { nullable: true })
  productId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  productVersion?: string | null

  @Field(() => ID, { nullable: true })
  applicationId?: string | null

  @Field(() => ID, { nullable: true })
  agreementId?: string | null

  @Field(() => MoneyInput)
  limit: MoneyInput

  @Field(() => DecimalScalar, { description: 'Percent a year, at most 10000.' })
  ratePct: string

  @Field(() => Int, {
    nullable: true,
    description:
      'From 1 to 1200; required for loans. When absent, a revolving limit has 12, or as many as it takes to mature after `availableTo`.',
  })
  instalments?: number | null

  @Field(() => RepaymentMethodEnum, {
    nullable: true,
    description: 'ANNUITY when absent; a revolving limit is INTEREST_ONLY.',
  })
  method?: RepaymentMethod | null

  @Field(() => RepaymentFrequencyEnum, { defaultValue: 'monthly' })
  frequency: RepaymentFrequency

  @Field(() => Int, { nullable: true, description: 'The days of a period, with DAYS.' })
  everyDays?: number | null

  @Field(() => DayCountEnum, { defaultValue: 'thirty-360' })
  dayCount: DayCount

  @Field(() => DecimalScalar, { nullable: true, description: 'What BALLOON leaves for the end.' })
  balloonAmount?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The customer’s account that money is paid to and instalments are collected from.',
  })
  settlementArrangementId?: string | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Pays the whole limit out to the settlement account at once.',
  })
  disburse: boolean

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'With `disburse`: how much of the limit; all of it when absent.',
  })
  disburseAmount?: MoneyInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Today when absent; in the past for a loan that is taken over.',
  })
  openedOn?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  availableFrom?: string | null

  @Field(() => LocalDateScalar, { nullable: true })
  availableTo?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'How much collateral must be allocated, in percent of what is owed.',
  })
  requiredCoveragePct?: string | null

  @Field(() => MoneyInput, { nullable: true })
  minimumDrawdown?: MoneyInput | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether somebody of the bank approves each drawdown.',
  })
  isApprovalRequired: boolean
}
