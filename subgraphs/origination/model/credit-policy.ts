import {
  type TypeOf,
  enumeration,
  float,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
  text,
} from '../../../kernel/domain/model.ts'

const RecommendationEnum = enumeration(
  'CreditRecommendationOutcome',
  'The recommendation of the credit policy.',
  {
    approve: 'The policy recommends approval.',
    decline: 'The policy recommends declining the application.',
    refer: 'The policy refers the application to a person.',
  },
)

export const Score = shape('CreditScore', 'The result of a scoring model.', {
  model: label('The name of the scoring model.'),
  version: label('The version of the scoring model; null if none was given.').orNull(),
  value: float('The value of the score, on the scale of the scoring model.'),
  cutoff: float(
    'The lowest score at which the model recommends approval; null if none was given.',
  ).orNull(),
})
export type Score = TypeOf<typeof Score>

export const Reason = shape(
  'CreditReason',
  'A reason for a credit decision, as stated to the applicant.',
  {
    code: label(
      'The code of the reason: one of the principal reasons of form C-1 (12 CFR Part 1002, ' +
        'Appendix C), or another code with its own text.',
    ),
    text: text('The reason in words.'),
  },
)
export type Reason = TypeOf<typeof Reason>

export const CreditRuleResult = shape(
  'CreditRuleResult',
  'The result of one rule of the credit policy.',
  {
    rule: label('The name of the rule, such as `debt-to-income`.'),
    result: string('The result of the rule: `pass`, `fail` or `refer`.'),
    points: integer(
      'The points that the rule added to the score; negative if it subtracted points.',
    ),
  },
)
export type CreditRuleResult = TypeOf<typeof CreditRuleResult>

export const Recommendation = shape(
  'CreditRecommendation',
  'The recommendation of the credit policy on an application.',
  {
    outcome: oneOf(RecommendationEnum, 'What the policy recommends.'),
    policyVersion: label('The version of the credit policy.'),
    score: object(Score, 'The score of the application.'),
    rules: list(object(CreditRuleResult), 'The results of the rules of the policy.'),
    reasons: list(
      object(Reason),
      'The principal reasons against approval, most important first, at most four; empty if the ' +
        'policy recommends approval.',
    ),
  },
)
export type Recommendation = TypeOf<typeof Recommendation>
