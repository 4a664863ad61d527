import { Field, Float, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { recommendations, type Recommendation } from '../domain/policy.ts'

const RecommendationEnum = wireEnum(
  'CreditRecommendationOutcome',
  recommendations,
  'The recommendation of the credit policy.',
  {
    approve: 'The policy recommends approval.',
    decline: 'The policy recommends declining the application.',
    refer: 'The policy refers the application to a person.',
  },
)

@ObjectType({ description: 'The result of a scoring model.' })
export class CreditScore {
  @Field(() => LabelScalar, { description: 'The name of the scoring model.' })
  model: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The version of the scoring model; null if none was given.',
  })
  version: string | null

  @Field(() => Float, { description: 'The value of the score, on the scale of the scoring model.' })
  value: number

  @Field(() => Float, {
    nullable: true,
    description: 'The lowest score at which the model recommends approval; null if none was given.',
  })
  cutoff: number | null
}

@ObjectType({ description: 'A reason for a credit decision, as stated to the applicant.' })
export class CreditReason {
  @Field(() => LabelScalar, {
    description:
      'The code of the reason: one of the principal reasons of form C-1 (12 CFR Part 1002, ' +
      'Appendix C), or another code with its own text.',
  })
  code: string

  @Field(() => TextScalar, { description: 'The reason in words.' })
  text: string
}

@ObjectType({ description: 'The result of one rule of the credit policy.' })
export class CreditRuleResult {
  @Field(() => LabelScalar, { description: 'The name of the rule, such as `debt-to-income`.' })
  rule: string

  @Field(() => String, { description: 'The result of the rule: `pass`, `fail` or `refer`.' })
  result: string

  @Field(() => Int, {
    description: 'The points that the rule added to the score; negative if it subtracted points.',
  })
  points: number
}

@ObjectType({ description: 'The recommendation of the credit policy on an application.' })
export class CreditRecommendation {
  @Field(() => RecommendationEnum, { description: 'What the policy recommends.' })
  outcome: Recommendation['outcome']

  @Field(() => LabelScalar, { description: 'The version of the credit policy.' })
  policyVersion: string

  @Field(() => CreditScore, { description: 'The score of the application.' })
  score: CreditScore

  @Field(() => [CreditRuleResult], { description: 'The results of the rules of the policy.' })
  rules: CreditRuleResult[]

  @Field(() => [CreditReason], {
    description:
      'The principal reasons against approval, most important first, at most four; empty if the ' +
      'policy recommends approval.',
  })
  reasons: CreditReason[]
}
