import { Recommendation } from '../model/credit-policy.ts'
import { CreditDecision } from '../model/decision.ts'
import { ApplicationStatus } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  AfterArg,
  FirstArg,
  type Page,
  type PageRequest,
  readPage,
} from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import * as commands from '../commands/application.ts'
import { ownersOf, type LoanApplication as Domain } from '../domain/application.ts'
import {
  applicationTable,
  listApplications,
  loadApplication,
  type ApplicationFilter,
} from '../store/application.ts'
import { loadDecisions } from '../store/decision.ts'
import { CreateLoanApplicationInput, withAmounts } from '../model/application-inputs.ts'
import { LoanApplication, LoanApplicationConnection } from '../model/application.ts'
import { LoanTerms } from '../model/loan-terms.ts'
import {
  AgreementStub,
  CaseStub,
  Customer,
  FacilityStub,
  PricingQuoteStub,
} from '../model/references.ts'
import { termsOut } from './terms-out.ts'

@Resolver(() => LoanApplication)
export class LoanApplicationResolver {
  @Requires('lending:read')
  @Query(() => LoanApplication, { description: 'Returns one loan application.' })
  async loanApplication(
    @Arg('applicationId', () => ID, { description: 'The ID of the application.' })
    applicationId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadApplication(context, applicationId)
    return requireVisible(context, found, ownersOf, 'APPLICATION_NOT_FOUND', applicationId)
  }

  @Requires('lending:read')
  @Query(() => LoanApplicationConnection, {
    description: 'Returns loan applications in order of creation. All filters must match.',
  })
  loanApplications(
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Returns only applications of this customer.',
    })
    customerId: string | null,
    @Arg('status', () => ApplicationStatus, {
      nullable: true,
      description: 'Returns only applications in this state.',
    })
    status: ApplicationStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return applicationPage(context, { customerId, status }, { first, after })
  }

  @Requires('credit:submit')
  @Mutation(() => LoanApplication, { description: 'Creates a draft loan application.' })
  createLoanApplication(
    @Arg('input', () => CreateLoanApplicationInput, { description: 'The application to create.' })
    input: CreateLoanApplicationInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.createApplication(context, withAmounts(input))
  }

  @Requires('credit:submit')
  @Mutation(() => LoanApplication, {
    description:
      'Withdraws a loan application on behalf of the applicant. Rejected after the terms have ' +
      'been accepted.',
  })
  withdrawLoanApplication(
    @Arg('applicationId', () => ID, { description: 'The ID of the application.' })
    applicationId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the withdrawal.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.withdrawApplication(context, { applicationId, reason: reason ?? null })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The requested amount; null if none was given.',
  })
  requestedAmount(@Root() { amountMinor, currency }: Domain): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency: currency! })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The net monthly income of the applicant; null if not stated.',
  })
  monthlyIncome(@Root() { incomeMinor, currency }: Domain): MoneyType | null {
    return incomeMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: incomeMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The monthly payments of the applicant on other debts; null if not stated.',
  })
  monthlyObligations(@Root() { obligationsMinor, currency }: Domain): MoneyType | null {
    return obligationsMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: obligationsMinor, currency })
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'The approved terms; null if the application was not approved.',
  })
  approvedTerms(@Root() { approvedTerms }: Domain): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description:
      'The terms of a counter-offer that is open, was rejected or has expired; null if there is ' +
      'none.',
  })
  counterOffer(@Root() { counterOffer }: Domain): LoanTerms | null {
    return termsOut(counterOffer)
  }

  @FieldResolver(() => Recommendation, {
    nullable: true,
    description:
      'The recommendation of the credit policy; null before there is one, and for delegated users.',
  })
  recommendation(@Root() { recommendation }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? recommendation : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The problem code with which the latest attempt to set up the loan failed; null if it did ' +
      'not fail, and for delegated users.',
  })
  bookingError(@Root() { bookingError }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? bookingError : null
  }

  @Requires('lending:read')
  @FieldResolver(() => [CreditDecision], {
    description:
      'The credit decisions on the application, in the order in which they were recorded.',
  })
  async decisions(@Root() { applicationId }: Domain, @Ctx() context: Context) {
    return (await loadDecisions(context, applicationId)) ?? []
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The ID of the loan, which is also the ID of its facility; null before the approval, and ' +
      'after the application is closed without a loan.',
  })
  loanId(@Root() { facilityId }: Domain): string | null {
    return facilityId
  }

  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility that was opened for the application; null until the loan is set up.',
  })
  facility(@Root() { facilityId, bookedAt }: Domain): FacilityStub | null {
    return facilityId === null || bookedAt === null ? null : { facilityId }
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'The customer who applies.' })
  customer(@Root() { customerId }: Domain): Customer {
    return { customerId }
  }

  @FieldResolver(() => PricingQuoteStub, {
    nullable: true,
    description: 'The pricing quote on which the application is based; null if there is none.',
  })
  quote(@Root() { quoteId }: Domain): PricingQuoteStub | null {
    return quoteId === null ? null : { pricingQuoteId: quoteId }
  }

  @FieldResolver(() => AgreementStub, {
    nullable: true,
    description: 'The loan agreement; null until the terms are accepted.',
  })
  agreement(@Root() { agreementId, acceptances }: Domain): AgreementStub | null {
    return agreementId === null || acceptances.length === 0 ? null : { agreementId }
  }

  @FieldResolver(() => CaseStub, {
    nullable: true,
    description: 'The case in which a person reviews the application; null if none was opened.',
  })
  case(@Root() { caseId, isCaseOpen }: Domain): CaseStub | null {
    return caseId === null || !isCaseOpen ? null : { caseId }
  }
}

@Resolver(() => Customer)
export class CustomerApplicationsResolver {
  @Requires('lending:read')
  @FieldResolver(() => LoanApplicationConnection, {
    nullable: true,
    description:
      'The loan applications of the customer in order of creation; null if they are not visible ' +
      'to the caller.',
  })
  loanApplications(
    @Root() { customerId }: Customer,
    @Arg('status', () => ApplicationStatus, {
      nullable: true,
      description: 'Returns only applications in this state.',
    })
    status: ApplicationStatus | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return applicationPage(context, { customerId, status }, { first, after })
  }
}

/** Returns one page of the applications that the caller may read. */
function applicationPage(
  context: Context,
  request: Partial<ApplicationFilter>,
  page: PageRequest,
): Promise<Page<Domain>> {
  const filter: ApplicationFilter = {
    customerId: request.customerId ?? null,
    status: request.status ?? null,
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
