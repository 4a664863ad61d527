import {
  type CreditDecision as DomainDecision,
  CreditDecision,
  CreditAuthority,
  CreditSubmission,
} from '../model/decision.ts'
import { Score } from '../model/credit-policy.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { parseAmount } from '../../../kernel/domain/money.ts'
import { MoneyInput, moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { acceptTerms } from '../commands/acceptance.ts'
import * as commands from '../commands/application.ts'
import { answerCounterOffer, grantAuthority, recordDecision } from '../commands/decision.ts'
import type { LoanApplication as Domain } from '../domain/application.ts'
import { readOutcome } from '../domain/decision-request.ts'
import { validationProblem } from '../domain/refusals.ts'
import type { CreditAuthority as DomainAuthority } from '../store/decision.ts'
import { SubmitCreditApplicationInput, withAmounts } from '../model/application-inputs.ts'
import { LoanApplication } from '../model/application.ts'
import {
  AcceptLoanTermsInput,
  CreditScoreInput,
  RecordCreditDecisionInput,
} from '../model/decision-inputs.ts'
import { LoanTerms } from '../model/loan-terms.ts'
import { termsOut } from './terms-out.ts'

/** The mutations of an application, from its submission to the acceptance of its terms. */
@Resolver(() => LoanApplication)
export class LoanApplicationActionsResolver {
  @Requires('credit:submit')
  @Mutation(() => CreditSubmission, {
    description:
      'Submits a loan application for a decision. If the application does not exist, it is ' +
      'created first, provided that its customer and a product or a quote are sent.',
  })
  submitCreditApplication(
    @Arg('input', () => SubmitCreditApplicationInput, { description: 'The application to submit.' })
    input: SubmitCreditApplicationInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.submitApplication(context, withAmounts(input))
  }

  @Requires('credit:decide')
  @Mutation(() => CreditDecision, {
    description:
      'Records a credit decision on an application. Rejected if the decider submitted the ' +
      "application, or if the amount exceeds the decider's credit authority.",
  })
  recordCreditDecision(
    @Arg('input', () => RecordCreditDecisionInput, { description: 'The decision to record.' })
    input: RecordCreditDecisionInput,
    @Ctx() context: Context,
  ): Promise<DomainDecision> {
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
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, {
    description: 'Moves a submitted application into manual review and opens a case for it.',
  })
  startCreditReview(
    @Arg('applicationId', () => ID, { description: 'The ID of the submitted application.' })
    applicationId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.startReview(context, { applicationId })
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, {
    description: 'Returns an application to the applicant for more information.',
  })
  returnLoanApplication(
    @Arg('applicationId', () => ID, { description: 'The ID of the application in review.' })
    applicationId: string,
    @Arg('wanted', () => TextScalar, {
      description: 'The information that the applicant must provide.',
    })
    wanted: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.returnApplication(context, { applicationId, wanted })
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, {
    description: 'Records that a condition of an approval was met.',
  })
  fulfillCondition(
    @Arg('applicationId', () => ID, { description: 'The ID of the approved application.' })
    applicationId: string,
    @Arg('code', () => LabelScalar, { description: 'The code of the open condition.' })
    code: string,
    @Arg('note', () => TextScalar, {
      nullable: true,
      description: 'An internal note on the evidence that the condition is met.',
    })
    note: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { applicationId, code, note: note ?? null }
    return commands.meetCondition(context, 'fulfillCondition', 'fulfilled', input)
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, { description: 'Waives a condition of an approval.' })
  waiveCondition(
    @Arg('applicationId', () => ID, { description: 'The ID of the approved application.' })
    applicationId: string,
    @Arg('code', () => LabelScalar, { description: 'The code of the open condition.' })
    code: string,
    @Arg('note', () => TextScalar, {
      nullable: true,
      description: 'An internal note on the reason for the waiver.',
    })
    note: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { applicationId, code, note: note ?? null }
    return commands.meetCondition(context, 'waiveCondition', 'waived', input)
  }

  @Requires('loans:accept')
  @Mutation(() => LoanApplication, {
    description:
      'Accepts or rejects a counter-offer. A rejected counter-offer closes the application.',
  })
  answerCounterOffer(
    @Arg('applicationId', () => ID, {
      description: 'The ID of the application with the counter-offer.',
    })
    applicationId: string,
    @Arg('isTaken', () => Boolean, {
      description: 'Whether the applicant accepts the counter-offer.',
    })
    isTaken: boolean,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return answerCounterOffer(context, { applicationId, isTaken })
  }

  @Requires('loans:accept')
  @Mutation(() => LoanApplication, {
    description:
      'Accepts the approved terms on behalf of the applicant. The agreement is then signed and ' +
      'the loan is set up asynchronously.',
  })
  acceptLoanTerms(
    @Arg('input', () => AcceptLoanTermsInput, { description: 'The acceptance of the terms.' })
    input: AcceptLoanTermsInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { signatureReference = null, ...request } = input
    return acceptTerms(context, { ...request, signatureReference })
  }

  @Requires('operations:manage')
  @Mutation(() => CreditAuthority, {
    description:
      'Sets the maximum amount that a person may approve alone, in one currency. It replaces the ' +
      'earlier limit of the person in this currency. People cannot set their own limits.',
  })
  grantCreditAuthority(
    @Arg('decider', () => LabelScalar, {
      description: 'The ID of the person, as in `decidedBy`.',
    })
    decider: string,
    @Arg('limit', () => MoneyInput, { description: 'The maximum amount, zero or more.' })
    limit: MoneyInput,
    @Ctx() context: Context,
  ): Promise<DomainAuthority> {
    const { currency } = limit
    const amountMinor = parseAmount(limit.amount, currency, '/limit/amount')
    if (amountMinor < 0n)
      throw validationProblem('/limit/amount', 'The limit must not be negative.')
    return grantAuthority(context, { decider, limit: { amountMinor, currency } })
  }
}

function scoreOf({ model, version = null, value, cutoff = null }: CreditScoreInput): Score {
  return { model, version, value, cutoff }
}

@Resolver(() => CreditDecision)
export class CreditDecisionResolver {
  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'The approved or offered terms; null if the decision grants no terms.',
  })
  approvedTerms(@Root() { approvedTerms }: DomainDecision): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The ID of the loan, which is also the ID of its facility; null if the decision does not ' +
      'approve the application.',
  })
  loanId(@Root() { facilityId }: DomainDecision): string | null {
    return facilityId
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The ID of the person or the credit policy that decided; null for delegated users.',
  })
  decidedBy(@Root() { decidedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? decidedBy : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The ID of the person or client that recorded the decision; null for delegated users.',
  })
  recordedBy(@Root() { recordedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? recordedBy : null
  }

  @FieldResolver(() => Score, {
    nullable: true,
    description:
      'The result of the scoring model on which the decision is based; null if none was given, ' +
      'and for delegated users.',
  })
  score(@Root() { score }: DomainDecision, @Ctx() { caller }: Context): Score | null {
    return caller.partyId === null ? score : null
  }

  @FieldResolver(() => TextScalar, {
    nullable: true,
    description:
      'The internal comment of the decider; null if none was given, and for delegated users.',
  })
  comment(@Root() { comment }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? comment : null
  }
}

@Resolver(() => CreditAuthority)
export class CreditAuthorityResolver {
  @FieldResolver(() => MoneyType, {
    description: 'The maximum amount the person may approve alone.',
  })
  limit(@Root() { limitMinor: amountMinor, currency }: DomainAuthority): MoneyType {
    return moneyOut({ amountMinor, currency })
  }
}
