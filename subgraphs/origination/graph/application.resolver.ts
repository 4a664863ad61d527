import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import * as commands from '../application-commands.ts'
import {
  ownersOf,
  type ApplicationStatus,
  type LoanApplication as Domain,
} from '../domain/application.ts'
import {
  applicationTable,
  listApplications,
  loadApplication,
  type ApplicationFilter,
} from '../store/application.ts'
import { loadDecisions } from '../store/decision.ts'
import { CreateLoanApplicationInput, withAmounts } from './application.inputs.ts'
import {
  ApplicationStatusEnum,
  CreditRecommendation,
  LoanApplication,
  LoanApplicationConnection,
  LoanTerms,
} from './application.types.ts'
import { CreditDecision } from './decision.types.ts'
import { AgreementStub, CaseStub, Customer, FacilityStub, PricingQuoteStub } from './stubs.types.ts'
import { termsOut } from './terms-out.ts'

@Resolver(() => LoanApplication)
export class LoanApplicationResolver {
  @Requires('lending:read')
  @Query(() => LoanApplication, { description: 'One application.' })
  async loanApplication(
    @Arg('applicationId', () => ID) applicationId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadApplication(context, applicationId)
    return requireVisible(context, found, ownersOf, 'APPLICATION_NOT_FOUND', applicationId)
  }

  @Requires('lending:read')
  @Query(() => LoanApplicationConnection, {
    description: 'Applications in the order they were created.',
  })
  loanApplications(
    @Arg('customerId', () => ID, { nullable: true }) customerId: string | null,
    @Arg('status', () => ApplicationStatusEnum, { nullable: true })
    status: ApplicationStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return applicationPage(context, { customerId, status }, { first, after })
  }

  @Requires('credit:submit')
  @Mutation(() => LoanApplication, { description: 'Drafts an application.' })
  createLoanApplication(
    @Arg('input', () => CreateLoanApplicationInput) input: CreateLoanApplicationInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.createApplication(context, withAmounts(input))
  }

  @Requires('credit:submit')
  @Mutation(() => LoanApplication, {
    description: 'Gives an application up for its applicant, until the terms were taken.',
  })
  withdrawLoanApplication(
    @Arg('applicationId', () => ID) applicationId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.withdrawApplication(context, { applicationId, reason: reason ?? null })
  }

  @FieldResolver(() => MoneyType, { nullable: true })
  requestedAmount(@Root() { amountMinor, currency }: Domain): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency: currency! })
  }

  @FieldResolver(() => MoneyType, { nullable: true, description: 'After tax.' })
  monthlyIncome(@Root() { incomeMinor, currency }: Domain): MoneyType | null {
    return incomeMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: incomeMinor, currency })
  }

  @FieldResolver(() => MoneyType, { nullable: true, description: 'Paid for other debts.' })
  monthlyObligations(@Root() { obligationsMinor, currency }: Domain): MoneyType | null {
    return obligationsMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: obligationsMinor, currency })
  }

  @FieldResolver(() => LoanTerms, { nullable: true, description: 'The terms that were approved.' })
  approvedTerms(@Root() { approvedTerms }: Domain): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'Other terms than were asked for, which wait for the applicant’s answer.',
  })
  counterOffer(@Root() { counterOffer }: Domain): LoanTerms | null {
    return termsOut(counterOffer)
  }

  @FieldResolver(() => CreditRecommendation, {
    nullable: true,
    description: 'What the credit policy comes to; null to delegated users.',
  })
  recommendation(@Root() { recommendation }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? recommendation : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why the loan could not be made yet; null to delegated users.',
  })
  bookingRefusal(@Root() { bookingRefusal }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? bookingRefusal : null
  }

  @Requires('lending:read')
  @FieldResolver(() => [CreditDecision], { description: 'In the order they were recorded.' })
  async decisions(@Root() { applicationId }: Domain, @Ctx() context: Context) {
    return (await loadDecisions(context, applicationId)) ?? []
  }

  @FieldResolver(() => ID, { nullable: true, description: 'The facility is the loan.' })
  loanId(@Root() { facilityId }: Domain): string | null {
    return facilityId
  }

  @FieldResolver(() => FacilityStub, { nullable: true, description: 'Once it is booked.' })
  facility(@Root() { facilityId, bookedAt }: Domain): FacilityStub | null {
    return facilityId === null || bookedAt === null ? null : { facilityId }
  }

  @FieldResolver(() => Customer, { nullable: true })
  customer(@Root() { customerId }: Domain): Customer {
    return { customerId }
  }

  @FieldResolver(() => PricingQuoteStub, { nullable: true })
  quote(@Root() { quoteId }: Domain): PricingQuoteStub | null {
    return quoteId === null ? null : { pricingQuoteId: quoteId }
  }

  @FieldResolver(() => AgreementStub, { nullable: true })
  agreement(@Root() { agreementId, acceptances }: Domain): AgreementStub | null {
    return agreementId === null || acceptances.length === 0 ? null : { agreementId }
  }

  @FieldResolver(() => CaseStub, { nullable: true, description: 'In which a person looks at it.' })
  case(@Root() { caseId, isCaseOpen }: Domain): CaseStub | null {
    return caseId === null || !isCaseOpen ? null : { caseId }
  }
}

@Resolver(() => Customer)
export class CustomerApplicationsResolver {
  @Requires('lending:read')
  @FieldResolver(() => LoanApplicationConnection, { nullable: true })
  loanApplications(
    @Root() { customerId }: Customer,
    @Arg('status', () => ApplicationStatusEnum, { nullable: true })
    status: ApplicationStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return applicationPage(context, { customerId, status }, { first, after })
  }
}

/** One page under the caller's own rights. */
function applicationPage(
  context: Context,
  asked: Partial<ApplicationFilter>,
  page: PageAsked,
): Promise<Page<Domain>> {
  const filter: ApplicationFilter = {
    customerId: asked.customerId ?? null,
    status: asked.status ?? null,
  }
  return readPage(
    context,
    'loanApplications',
    { ...filter },
    page,
    (after, take) => listApplications(context, filter, after, take),
    applicationTable.sortKey,
  )
}
