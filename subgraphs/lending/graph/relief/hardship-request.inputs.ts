import { Field, ID, InputType, Int } from 'type-graphql'
import {
  AmountScalar,
  DecimalScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../../../kernel/graph/scalars.ts'
import type { HardshipReason, HardshipType } from '../../domain/relief/hardship-request.ts'
import type { InterestTreatment, TermTreatment } from '../../domain/schedules/loan.ts'
import type {
  HardshipAction,
  HardshipRequestInput,
  HardshipReview,
  ReliefInput,
} from '../../commands/relief/hardship-request.ts'
import {
  HardshipActionEnum,
  HardshipReasonEnum,
  HardshipTypeEnum,
} from './hardship-request.types.ts'
import { InterestTreatmentEnum, TermTreatmentEnum } from '../schedules/schedule-enums.ts'

@InputType({ description: 'A hardship request to submit.' })
export class CreateHardshipRequestInput implements HardshipRequestInput {
  @Field(() => ID, { description: 'The ID of the loan.' })
  loanId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new request; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing hardship request.',
  })
  hardshipRequestId?: string | null

  @Field(() => HardshipTypeEnum, { description: 'The kind of relief that is requested.' })
  type: HardshipType

  @Field(() => TextScalar, {
    description: "The borrower's explanation, from 1 to 2,000 characters.",
  })
  reason: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first day for which relief is requested, today or later.',
  })
  requestedStartDate?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last day for which relief is requested.',
  })
  requestedEndDate?: string | null
}

@InputType({
  description:
    'The relief to grant. Each field applies to the types of request that its description names.',
})
export class HardshipReliefInput implements ReliefInput {
  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first day of a payment holiday or temporary reduction. Defaults to the requested ' +
      'start date or, if none was requested, to the next due date.',
  })
  startDate?: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of installments of a payment holiday or temporary reduction. Defaults to the ' +
      'number of installments due by the requested end date or, if none was requested, to 1.',
  })
  installments?: number | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of installments to add, from 1 to 1,200. Required for a term extension, ' +
      'optional for a restructuring or temporary reduction, and ignored for a payment holiday.',
  })
  extraInstallments?: number | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'The maximum amount of an installment during a temporary reduction, greater than zero. ' +
      'Required for a temporary reduction.',
  })
  installmentAmount?: AmountSent | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The new interest rate of a restructuring, in percent per year, from 0 to 9,999.',
  })
  ratePct?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a restructuring adds the amounts due to the principal. Defaults to false.',
  })
  isArrearsCapitalized?: boolean | null

  @Field(() => InterestTreatmentEnum, {
    nullable: true,
    description:
      'What happens to the interest that is not paid during a payment holiday or temporary ' +
      "reduction. For a holiday, defaults to the product's setting. For a reduction, defaults to " +
      '`DEFER`, and `WAIVE` is not allowed.',
  })
  interestTreatment?: InterestTreatment | null

  @Field(() => TermTreatmentEnum, {
    nullable: true,
    description: 'How the schedule continues after a payment holiday. Defaults to `EXTEND`.',
  })
  termTreatment?: TermTreatment | null
}

@InputType({ description: 'An action of a reviewer on a hardship request.' })
export class ReviewHardshipRequestInput implements HardshipReview {
  @Field(() => ID, { description: 'The ID of the hardship request.' })
  hardshipRequestId: string

  @Field(() => HardshipActionEnum, { description: 'The action of the reviewer.' })
  action: HardshipAction

  @Field(() => HardshipReliefInput, {
    nullable: true,
    description: 'The relief to grant. Required when the request is approved.',
  })
  relief?: HardshipReliefInput | null

  @Field(() => [HardshipReasonEnum], {
    nullable: true,
    description:
      'The reasons for declining, from one to four. Required when the request is declined.',
  })
  reasons?: HardshipReason[] | null
}
