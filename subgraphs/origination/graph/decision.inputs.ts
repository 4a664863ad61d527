import { Field, Float, ID, InputType, Int } from 'type-graphql'
import {
  AmountScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../../kernel/graph/scalars.ts'
import type { DecisionMode } from '../domain/application.ts'
import { DecisionModeEnum } from './application.types.ts'

@InputType({ description: 'A reason for a credit decision.' })
export class CreditReasonInput {
  @Field(() => LabelScalar, {
    description:
      'The code of a principal reason of form C-1 (12 CFR Part 1002, Appendix C), such as ' +
      '`income-insufficient`, or another code with its own `text`.',
  })
  code: string

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The reason in words, as stated to the applicant. For the codes of form C-1, defaults to ' +
      'the wording of the form. Required for other codes.',
  })
  text?: string | null
}

@InputType({
  description: 'A condition that must be met before the terms of an approval can be accepted.',
})
export class LoanConditionInput {
  @Field(() => LabelScalar, {
    description: 'The code of the condition, unique within the decision.',
  })
  code: string

  @Field(() => TextScalar, { nullable: true, description: 'A description of the condition.' })
  description?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day by which the condition should be met.',
  })
  dueBy?: string | null
}

@InputType({
  description:
    'The terms in which an approval or a counter-offer differs from the application. An omitted ' +
    'product, amount or term is the requested one.',
})
export class ApprovedTermsInput {
  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'The approved amount, within the range of the product. An amount without a currency is in ' +
      'the currency of the application.',
  })
  amount?: AmountSent | null

  @Field(() => Int, {
    nullable: true,
    description: 'The approved term, in months, within the range of the product.',
  })
  termMonths?: number | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The approved interest rate, in percent per year. Defaults to the rate of the quote, or to ' +
      'the rate of the product if there is no quote.',
  })
  ratePct?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of a product other than the one applied for.',
  })
  productId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of a pricing quote other than the one in the application.',
  })
  quoteId?: string | null
}

@InputType({ description: 'The result of a scoring model.' })
export class CreditScoreInput {
  @Field(() => LabelScalar, { description: 'The name of the scoring model.' })
  model: string

  @Field(() => LabelScalar, { nullable: true, description: 'The version of the scoring model.' })
  version?: string | null

  @Field(() => Float, { description: 'The value of the score, on the scale of the scoring model.' })
  value: number

  @Field(() => Float, {
    nullable: true,
    description: 'The lowest score at which the model recommends approval.',
  })
  cutoff?: number | null
}

@InputType({ description: 'The credit decision to record.' })
export class RecordCreditDecisionInput {
  @Field(() => ID, { description: 'The ID of the application.' })
  applicationId: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The outcome: `approved`, `declined`, `referred` or `counter-offer`, in any letter case. ' +
      'Also accepted: `approve`, `decline` and `refer`. Required unless `decision` is sent.',
  })
  outcome?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'An alias of `outcome`. It is used if `outcome` is omitted.',
  })
  decision?: string | null

  @Field(() => DecisionModeEnum, {
    nullable: true,
    description: 'Whether the credit policy or a person decided. Defaults to `MANUAL`.',
  })
  decisionMode?: DecisionMode | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The ID of the person who decided. Defaults to the caller. A client can name only people ' +
      'for whom it is registered to act (`actsFor`).',
  })
  decidedBy?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the decision was made, not in the future and not before the submission. Defaults to ' +
      'the current time.',
  })
  decidedAt?: Date | null

  @Field(() => [CreditReasonInput], {
    nullable: true,
    description:
      'The reasons for the decision, most important first, at most four. A decline or a ' +
      'counter-offer requires at least one.',
  })
  reasons?: CreditReasonInput[] | null

  @Field(() => [LoanConditionInput], {
    nullable: true,
    description: 'The conditions of an approval or a counter-offer, at most 20.',
  })
  conditions?: LoanConditionInput[] | null

  @Field(() => ApprovedTermsInput, {
    nullable: true,
    description: 'The terms in which an approval or a counter-offer differs from the application.',
  })
  approvedTerms?: ApprovedTermsInput | null

  @Field(() => CreditScoreInput, {
    nullable: true,
    description: 'The result of the scoring model on which the decision is based.',
  })
  score?: CreditScoreInput | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The version of the credit policy that the decision follows. Required if `decisionMode` is ' +
      '`AUTOMATED`.',
  })
  policyVersion?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the approved or offered terms expire, in the future. Defaults to 30 days after the ' +
      'decision. If the quote expires earlier, the terms expire with the quote.',
  })
  expiresAt?: Date | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the earlier decision on the same application that this decision replaces.',
  })
  overrideOf?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'An internal comment, not visible to the applicant.',
  })
  comment?: string | null
}

@InputType({ description: 'The acceptance of the approved terms.' })
export class AcceptLoanTermsInput {
  @Field(() => ID, { description: 'The ID of the approved application.' })
  applicationId: string

  @Field(() => DateTimeScalar, {
    description:
      'When the customer accepted the terms, not in the future and not before the approval.',
  })
  acceptedAt: Date

  @Field(() => LabelScalar, {
    description:
      'The channel through which the customer accepted the terms, such as `web`, `mobile`, ' +
      '`branch`, `phone`, `partner` or `secure-message`.',
  })
  acceptanceChannel: string

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The reference of the signature that proves the acceptance. Required when the product ' +
      'requires a signature.',
  })
  signatureReference?: string | null
}
