import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { MoneyInput, moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { acceptTerms } from '../acceptance.ts'
import * as commands from '../application-commands.ts'
import { answerCounterOffer, grantAuthority, recordDecision } from '../decision-commands.ts'
import type { LoanApplication as Domain } from '../domain/application.ts'
import { type CreditDecision as DomainDecision } from '../domain/decision.ts'
import { readOutcome } from '../domain/decision-asked.ts'
import type { Score } from '../domain/policy.ts'
import { invalid } from '../domain/refusals.ts'
import type { CreditAuthority as DomainAuthority } from '../store/decision.ts'
import { SubmitCreditApplicationInput, withAmounts } from './application.inputs.ts'
import { CreditScore, LoanApplication, LoanTerms } from './application.types.ts'
import {
  AcceptLoanTermsInput,
  CreditAuthority,
  CreditDecision,
  CreditScoreInput,
  CreditSubmission,
  RecordCreditDecisionInput,
} from './decision.types.ts'
import { termsOut } from './terms-out.ts'

/** What is done about an application, from its submission to the acceptance of its terms. */
@Resolver(() => LoanApplication)
export class LoanApplicationActsResolver {
  @Requires('credit:submit')
  @Mutation(() => CreditSubmission, {
    description:
      'Submits an application, with what is added to it. One that nobody has is created first, when ' +
      'its customer and a product or a price are named. It is decided after that.',
  })
  submitCreditApplication(
    @Arg('input', () => SubmitCreditApplicationInput) input: SubmitCreditApplicationInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.submitApplication(context, withAmounts(input))
  }

  @Requires('credit:decide')
  @Mutation(() => CreditDecision, { description: 'Records a decision on an application.' })
  recordCreditDecision(
    @Arg('input', () => RecordCreditDecisionInput) input: RecordCreditDecisionInput,
    @Ctx() context: Context,
  ): Promise<DomainDecision> {
    const { outcome, decision, approvedTerms: terms, score, ...asked } = input
    return recordDecision(context, {
      applicationId: asked.applicationId,
      outcome: readOutcome(outcome ?? decision),
      decisionMode: asked.decisionMode ?? 'manual',
      decidedBy: asked.decidedBy ?? null,
      decidedAt: asked.decidedAt ?? null,
      reasons: asked.reasons ?? [],
      conditions: asked.conditions ?? [],
      approvedTerms: terms ?? null,
      score: score ? scoreOf(score) : null,
      policyVersion: asked.policyVersion ?? null,
      expiresAt: asked.expiresAt ?? null,
      overrideOf: asked.overrideOf ?? null,
      comment: asked.comment ?? null,
    })
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, { description: 'Takes up a submitted application by hand.' })
  startCreditReview(
    @Arg('applicationId', () => ID) applicationId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.startReview(context, { applicationId })
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, {
    description: 'Sends an application back to its applicant for what is missing.',
  })
  returnLoanApplication(
    @Arg('applicationId', () => ID) applicationId: string,
    @Arg('wanted', () => TextScalar, { description: 'What is missing.' }) wanted: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.returnApplication(context, { applicationId, wanted })
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, { description: 'A condition of an approval is met.' })
  fulfilCondition(
    @Arg('applicationId', () => ID) applicationId: string,
    @Arg('code', () => LabelScalar) code: string,
    @Arg('note', () => TextScalar, { nullable: true }) note: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { applicationId, code, note: note ?? null }
    return commands.meetCondition(context, 'fulfilCondition', 'fulfilled', input)
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, { description: 'A condition of an approval is given up.' })
  waiveCondition(
    @Arg('applicationId', () => ID) applicationId: string,
    @Arg('code', () => LabelScalar) code: string,
    @Arg('note', () => TextScalar, { nullable: true }) note: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { applicationId, code, note: note ?? null }
    return commands.meetCondition(context, 'waiveCondition', 'waived', input)
  }

  @Requires('loans:accept')
  @Mutation(() => LoanApplication, {
    description: 'Records the applicant’s answer to a counter-offer. Not taken, it is withdrawn.',
  })
  answerCounterOffer(
    @Arg('applicationId', () => ID) applicationId: string,
    @Arg('isTaken', () => Boolean) isTaken: boolean,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return answerCounterOffer(context, { applicationId, isTaken })
  }

  @Requires('loans:accept')
  @Mutation(() => LoanApplication, {
    description:
      'Records that the applicant takes the approved terms; the loan is made after that.',
  })
  acceptLoanTerms(
    @Arg('input', () => AcceptLoanTermsInput) input: AcceptLoanTermsInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { signatureReference = null, ...asked } = input
    return acceptTerms(context, { ...asked, signatureReference })
  }

  @Requires('operations:manage')
  @Mutation(() => CreditAuthority, {
    description: 'Sets up to how much somebody decides alone, in a currency.',
  })
  grantCreditAuthority(
    @Arg('decider', () => LabelScalar, { description: 'As in `decidedBy`.' }) decider: string,
    @Arg('limit', () => MoneyInput) limit: MoneyInput,
    @Ctx() context: Context,
  ): Promise<DomainAuthority> {
    const { currency } = limit
    const amountMinor = parseAmount(limit.amount, currency, '/limit/amount')
    if (amountMinor < 0n) throw invalid('/limit/amount', 'Nothing or more.')
    return grantAuthority(context, { decider, limit: { amountMinor, currency } })
  }
}

function scoreOf({ model, version = null, value, cutoff = null }: CreditScoreInput): Score {
  return { model, version, value, cutoff }
}

@Resolver(() => CreditDecision)
export class CreditDecisionResolver {
  @FieldResolver(() => LoanTerms, { nullable: true })
  approvedTerms(@Root() { approvedTerms }: DomainDecision): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => ID, { nullable: true, description: 'The facility is the loan.' })
  loanId(@Root() { facilityId }: DomainDecision): string | null {
    return facilityId
  }

  @FieldResolver(() => String, { nullable: true, description: 'Null to delegated users.' })
  decidedBy(@Root() { decidedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? decidedBy : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The person or client that recorded the decision, in the name of `decidedBy`. Null to delegated users.',
  })
  recordedBy(@Root() { recordedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? recordedBy : null
  }

  @FieldResolver(() => CreditScore, { nullable: true, description: 'Null to delegated users.' })
  score(@Root() { score }: DomainDecision, @Ctx() { caller }: Context): CreditScore | null {
    return caller.partyId === null ? score : null
  }

  @FieldResolver(() => TextScalar, { nullable: true, description: 'Null to delegated users.' })
  comment(@Root() { comment }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? comment : null
  }
}

@Resolver(() => CreditAuthority)
export class CreditAuthorityResolver {
  @FieldResolver(() => MoneyType)
  limit(@Root() { limitMinor: amountMinor, currency }: DomainAuthority): MoneyType {
    return moneyOut({ amountMinor, currency })
  }
}
