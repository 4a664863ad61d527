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
import { LoanApplication } from './application.types.ts'
import { CreditScore } from './credit-policy.types.ts'
import {
  AcceptLoanTermsInput,
  CreditScoreInput,
  RecordCreditDecisionInput,
} from './decision.inputs.ts'
import { CreditAuthority, CreditDecision, CreditSubmission } from './decision.types.ts'
import { LoanTerms } from './loan-terms.types.ts'
import { termsOut } from './terms-out.ts'

/** The commands on an application, from its submission to the acceptance of its terms. */
@Resolver(() => LoanApplication)
export class LoanApplicationActsResolver {
  @Requires('credit:submit')
  @Mutation(() => CreditSubmission, {
    description:
      'Submits a loan application for decision. An unknown application is created first ' +
      'when its customer and a product or a quote are given.',
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
      'Records a credit decision on an application. Rejected when the decider submitted the ' +
      'application or has insufficient credit authority.',
  })
  recordCreditDecision(
    @Arg('input', () => RecordCreditDecisionInput, { description: 'The decision to record.' })
    input: RecordCreditDecisionInput,
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
  @Mutation(() => LoanApplication, {
    description: 'Moves a submitted application into manual review and opens a case for it.',
  })
  startCreditReview(
    @Arg('applicationId', () => ID, { description: 'The identifier of the submitted application.' })
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
    @Arg('applicationId', () => ID, { description: 'The identifier of the application in review.' })
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
  fulfilCondition(
    @Arg('applicationId', () => ID, { description: 'The identifier of the approved application.' })
    applicationId: string,
    @Arg('code', () => LabelScalar, { description: 'The code of the open condition.' })
    code: string,
    @Arg('note', () => TextScalar, {
      nullable: true,
      description: 'An internal note on the evidence.',
    })
    note: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { applicationId, code, note: note ?? null }
    return commands.meetCondition(context, 'fulfilCondition', 'fulfilled', input)
  }

  @Requires('credit:decide')
  @Mutation(() => LoanApplication, { description: 'Waives a condition of an approval.' })
  waiveCondition(
    @Arg('applicationId', () => ID, { description: 'The identifier of the approved application.' })
    applicationId: string,
    @Arg('code', () => LabelScalar, { description: 'The code of the open condition.' })
    code: string,
    @Arg('note', () => TextScalar, {
      nullable: true,
      description: 'An internal note on the reason.',
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
      description: 'The identifier of the application with the counter-offer.',
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
      'Accepts the approved terms on behalf of the applicant. The agreement is signed and ' +
      'the loan is set up asynchronously.',
  })
  acceptLoanTerms(
    @Arg('input', () => AcceptLoanTermsInput, { description: 'The acceptance of the terms.' })
    input: AcceptLoanTermsInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const { signatureReference = null, ...asked } = input
    return acceptTerms(context, { ...asked, signatureReference })
  }

  @Requires('operations:manage')
  @Mutation(() => CreditAuthority, {
    description:
      'Sets the maximum amount that a person may approve alone, in one currency. It ' +
      'replaces an earlier limit. Nobody can set their own.',
  })
  grantCreditAuthority(
    @Arg('decider', () => LabelScalar, {
      description: 'The identifier of the person, as in `decidedBy`.',
    })
    decider: string,
    @Arg('limit', () => MoneyInput, { description: 'The maximum amount, 0 or more.' })
    limit: MoneyInput,
    @Ctx() context: Context,
  ): Promise<DomainAuthority> {
    const { currency } = limit
    const amountMinor = parseAmount(limit.amount, currency, '/limit/amount')
    if (amountMinor < 0n) throw invalid('/limit/amount', 'The limit must not be negative.')
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
    description: 'The approved or offered terms; null when the decision grants none.',
  })
  approvedTerms(@Root() { approvedTerms }: DomainDecision): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The identifier of the loan, which is the identifier of the facility; null when ' +
      'nothing was approved.',
  })
  loanId(@Root() { facilityId }: DomainDecision): string | null {
    return facilityId
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The identifier of the person or the credit policy that decided; null for delegated ' +
      'users.',
  })
  decidedBy(@Root() { decidedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? decidedBy : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The identifier of the person or client that recorded the decision; null for ' +
      'delegated users.',
  })
  recordedBy(@Root() { recordedBy }: DomainDecision, @Ctx() { caller }: Context): string | null {
    return caller.partyId === null ? recordedBy : null
  }

  @FieldResolver(() => CreditScore, {
    nullable: true,
    description:
      'The result of the scoring model on which the decision is based; null when none was ' +
      'given and for delegated users.',
  })
  score(@Root() { score }: DomainDecision, @Ctx() { caller }: Context): CreditScore | null {
    return caller.partyId === null ? score : null
  }

  @FieldResolver(() => TextScalar, {
    nullable: true,
    description:
      'The internal comment of the decider; null when none was given and for delegated users.',
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
