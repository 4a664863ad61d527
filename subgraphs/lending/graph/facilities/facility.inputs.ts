import { Field, ID, InputType, Int } from 'type-graphql'
import { MoneyInput } from '../../../../kernel/graph/money.types.ts'
import { DecimalScalar, LabelScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import type { RepaymentFrequency } from '../../domain/schedules/calendar.ts'
import type { DayCount } from '../../domain/schedules/day-count.ts'
import type { FacilityKind } from '../../domain/facilities/facility.ts'
import type { RepaymentMethod } from '../../domain/schedules/loan.ts'
import type { SettlementAccountChange } from '../../commands/facilities/change-settlement-account.ts'
import { FacilityKindEnum } from './facility.types.ts'
import {
  DayCountEnum,
  RepaymentFrequencyEnum,
  RepaymentMethodEnum,
} from '../schedules/schedule-enums.ts'

@InputType({ description: 'A facility to open.' })
export class OpenFacilityInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new facility; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing facility.',
  })
  facilityId?: string | null

  @Field(() => ID, { description: 'The ID of the customer who borrows.' })
  customerId: string

  @Field(() => FacilityKindEnum, { description: 'The kind of credit that the facility provides.' })
  kind: FacilityKind

  @Field(() => ID, { nullable: true, description: 'The ID of the product.' })
  productId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The label of the product version, such as `2026.10`. Defaults to the version that is ' +
      'active today.',
  })
  productVersion?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the loan application from which the facility is opened.',
  })
  applicationId?: string | null

  @Field(() => ID, { nullable: true, description: 'The ID of the agreement with the customer.' })
  agreementId?: string | null

  @Field(() => MoneyInput, {
    description: 'The credit limit of a revolving facility, or the amount of a loan.',
  })
  limit: MoneyInput

  @Field(() => DecimalScalar, {
    description: 'The interest rate in percent per year, from 0 to 10,000.',
  })
  ratePct: string

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of installments, from 1 to 1,200. Required for loans. A revolving limit ' +
      'defaults to 12 installments or, with `availableTo`, to the number with which it matures ' +
      'after `availableTo`.',
  })
  installments?: number | null

  @Field(() => RepaymentMethodEnum, {
    nullable: true,
    description:
      'How the facility is repaid. Defaults to `ANNUITY`; a revolving limit is always ' +
      '`INTEREST_ONLY`.',
  })
  method?: RepaymentMethod | null

  @Field(() => RepaymentFrequencyEnum, {
    defaultValue: 'monthly',
    description: 'How often an installment is due. Defaults to `MONTHLY`.',
  })
  frequency: RepaymentFrequency

  @Field(() => Int, {
    nullable: true,
    description:
      'The length of a period in days, from 1 to 366. Required with the frequency `DAYS`, not ' +
      'allowed with other frequencies.',
  })
  everyDays?: number | null

  @Field(() => DayCountEnum, {
    defaultValue: 'thirty-360',
    description: 'The day count convention for interest. Defaults to `THIRTY_360`.',
  })
  dayCount: DayCount

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The principal that is due with the last installment in addition to its regular amount. ' +
      'Required with the method `BALLOON`, not allowed with other methods.',
  })
  balloonAmount?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      "The ID of the customer's account that receives payouts and from which installments are " +
      'collected. Required if `disburse` is true.',
  })
  settlementArrangementId?: string | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to pay out to the settlement account immediately. Defaults to false.',
  })
  disburse: boolean

  @Field(() => MoneyInput, {
    nullable: true,
    description: 'The amount to pay out if `disburse` is true. Defaults to the whole limit.',
  })
  disburseAmount?: MoneyInput | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date on which the facility was opened. Defaults to today. Send a past date to take ' +
      'over an existing loan.',
  })
  openedOn?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day on which the facility can be drawn. Defaults to `openedOn`.',
  })
  availableFrom?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last day on which the facility can be drawn. If omitted, there is no last day.',
  })
  availableTo?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The collateral that must be allocated, in percent of the amount owed, from 0 to 1,000. If ' +
      'omitted, no collateral is required.',
  })
  requiredCoveragePct?: string | null

  @Field(() => MoneyInput, {
    nullable: true,
    description:
      'The minimum amount of a single drawdown, in the currency of the limit. If omitted, there ' +
      'is no minimum.',
  })
  minimumDrawdown?: MoneyInput | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether the bank must approve each drawdown. Defaults to false.',
  })
  isApprovalRequired: boolean
}

@InputType({ description: 'A change of the settlement account of a facility.' })
export class ChangeSettlementAccountInput implements SettlementAccountChange {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => ID, {
    description:
      'The ID of the new settlement account. It must be an account of the customer in the ' +
      'currency of the facility, and must be neither closed nor pending closure.',
  })
  settlementArrangementId: string
}
