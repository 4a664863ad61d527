import { CreditDecision, CreditAuthority, CreditSubmission } from '../model/decision.ts'
import { Score } from '../model/credit-policy.ts'
import { FieldResolver, ID, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { boolean, id, label, money, object, text } from '../../../kernel/domain/model.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { acceptTerms } from '../commands/acceptance.ts'
import { meetCondition, submitApplication } from '../commands/application.ts'
import { answerCounterOffer, grantAuthority, recordDecision } from '../commands/decision.ts'
import { readOutcome } from '../domain/decision-request.ts'
import { validationProblem } from '../domain/refusals.ts'
import { SubmitCreditApplicationInput, withAmounts } from '../model/application-inputs.ts'
import { LoanApplication } from '../model/application.ts'
import {
  AcceptLoanTermsInput,
  CreditScoreInput,
  RecordCreditDecisionInput,
} from '../model/decision-inputs.ts'
import { LoanTerms } from '../model/loan-terms.ts'
import { termsOut } from './terms-out.ts'

const submitCreditApplication = operation({
  description:
    'Submits a loan application for a decision. If the application does not exist, it is ' +
    'created first, provided that its customer and a product or a quote are sent.',
  scope: 'credit:submit',
  returns: CreditSubmission,
  args: { input: object(SubmitCreditApplicationInput, 'The application to submit.') },
  resolve: (context, { input }) => submitApplication(context, withAmounts(input)),
})

const recordCreditDecision = operation({
  description:
    'Records a credit decision on an application. Rejected if the decider submitted the ' +
    "application, or if the amount exceeds the decider's credit authority.",
  scope: 'credit:decide',
  returns: CreditDecision,
  args: { input: object(RecordCreditDecisionInput, 'The decision to record.') },
  resolve(context, { input }) {
    const { outcome, decision, approvedTerms: terms, score, ...request } = input
    return recordDecision(context, {
      applicationId: request.applicationId,
      outcome: readOutcome(outcome ?? decision),
      decisionMode: request.decisionMode ?? 'manual',
      decidedBy: request.decidedBy ?? null,
      decidedAt: request.decidedAt ?? null,
      reasons: request.reasons ?? [],
      conditions: request.conditions ?? [],
      approvedTerms: terms ?? null,
      score: score ? scoreOf(score) : null,
      policyVersion: request.policyVersion ?? null,
      expiresAt: request.expiresAt ?? null,
      overrideOf: request.overrideOf ?? null,
      comment: request.comment ?? null,
    })
  },
})

const fulfillCondition = operation({
  description: 'Records that a condition of an approval was met.',
  scope: 'credit:decide',
  returns: LoanApplication,
  args: {
    applicationId: id('The ID of the approved application.'),
    code: label('The code of the open condition.'),
    note: text('An internal note on the evidence that the condition is met.').orNull(),
  },
  resolve: (context, input, name) => meetCondition(context, name, 'fulfilled', input),
})

const waiveCondition = operation({
  description: 'Waives a condition of an approval.',
  scope: 'credit:decide',
  needsPerson: true,
  returns: LoanApplication,
  args: {
    applicationId: id('The ID of the approved application.'),
    code: label('The code of the open condition.'),
    note: text('An internal note on the reason for the waiver.').orNull(),
  },
  resolve: (context, input, name) => meetCondition(context, name, 'waived', input),
})

const acceptLoanTerms = operation({
  description:
    'Accepts the approved terms on behalf of the applicant. The agreement is then signed and ' +
    'the loan is set up asynchronously.',
  scope: 'loans:accept',
  returns: LoanApplication,
  args: { input: object(AcceptLoanTermsInput, 'The acceptance of the terms.') },
  resolve(context, { input }) {
    const { signatureReference = null, ...request } = input
    return acceptTerms(context, { ...request, signatureReference })
  },
})

const grantCreditAuthority = operation({
  description:
    'Sets the maximum amount that a person may approve alone, in one currency. It replaces the ' +
    'earlier limit of the person in this currency. People cannot set their own limits.',
  scope: 'operations:manage',
  needsPerson: true,
  returns: CreditAuthority,
  args: {
    decider: label('The ID of the person, as in `decidedBy`.'),
    limit: money('The maximum amount, zero or more.'),
  },
  resolve(context, { decider, limit }) {
    const { currency } = limit
    const amountMinor = parseAmount(limit.amount, currency, '/limit/amount')
    if (amountMinor < 0n)
      throw validationProblem('/limit/amount', 'The limit must not be negative.')
    return grantAuthority(context, { decider, limit: { amountMinor, currency } })
  },
})

/** The mutations of an application, from its submission to the acceptance of its terms. */
export const CreditOperations = resolverOf({
  mutations: {
    submitCreditApplication,
    recordCreditDecision,
    fulfillCondition,
    waiveCondition,
    answerCounterOffer: operation({
      description:
        'Accepts or rejects a counter-offer. A rejected counter-offer closes the application.',
      scope: 'loans:accept',
      returns: LoanApplication,
      args: {
        applicationId: id('The ID of the application with the counter-offer.'),
        isTaken: boolean('Whether the applicant accepts the counter-offer.'),
      },
      resolve: (context, input) => answerCounterOffer(context, input),
    }),
    acceptLoanTerms,
    grantCreditAuthority,
  },
})

function scoreOf({ model, version = null, value, cutoff = null }: CreditScoreInput): Score {
  return { model, version, value, cutoff }
}

@Resolver(() => CreditDecision)
export class CreditDecisionResolver {
  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'The approved or offered terms; null if the decision grants no terms.',
  })
  approvedTerms(@Root() { approvedTerms }: CreditDecision): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The ID of the loan, which is also the ID of its facility; null if the decision does not ' +
      'approve the application.',
  })
  loanId(@Root() { facilityId }: CreditDecision): string | null {
    return facilityId
  }
}

@Resolver(() => CreditAuthority)
export class CreditAuthorityResolver {
  @FieldResolver(() => MoneyType, {
    description: 'The maximum amount the person may approve alone.',
  })
  limit(@Root() { limitMinor: amountMinor, currency }: CreditAuthority): MoneyType {
    return moneyOut({ amountMinor, currency })
  }
}
