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
  LoanApplication,
  LoanApplicationConnection,
} from './application.types.ts'
import { CreditRecommendation } from './credit-policy.types.ts'
import { CreditDecision } from './decision.types.ts'
import { LoanTerms } from './loan-terms.types.ts'
import { AgreementStub, CaseStub, Customer, FacilityStub, PricingQuoteStub } from './stubs.types.ts'
import { termsOut } from './terms-out.ts'

@Resolver(() => LoanApplication)
export class LoanApplicationResolver {
  @Requires('lending:read')
  @Query(() => LoanApplication, { description: 'Returns one loan application.' })
  async loanApplication(
    @Arg('applicationId', () => ID, { description: 'The identifier of the application.' })
    applicationId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadApplication(context, applicationId)
    return requireVisible(context, found, ownersOf, 'APPLICATION_NOT_FOUND', applicationId)
  }

  @Requires('lending:read')
  @Query(() => LoanApplicationConnection, {
    description:
      'Returns loan applications in the order of their creation. All filters must match.',
  })
  loanApplications(
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Only applications of this customer.',
    })
    customerId: string | null,
    @Arg('status', () => ApplicationStatusEnum, {
      nullable: true,
      description: 'Only applications in this state.',
    })
    status: ApplicationStatus | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
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
      'Withdraws a loan application on behalf of the applicant. Rejected once the terms ' +
      'have been accepted.',
  })
  withdrawLoanApplication(
    @Arg('applicationId', () => ID, { description: 'The identifier of the application.' })
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
    description: 'The requested amount; null when none was given.',
  })
  requestedAmount(@Root() { amountMinor, currency }: Domain): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency: currency! })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The net monthly income of the applicant; null when not stated.',
  })
  monthlyIncome(@Root() { incomeMinor, currency }: Domain): MoneyType | null {
    return incomeMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: incomeMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The monthly payments of the applicant on other debts; null when not stated.',
  })
  monthlyObligations(@Root() { obligationsMinor, currency }: Domain): MoneyType | null {
    return obligationsMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: obligationsMinor, currency })
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'The approved terms; null when the application was not approved.',
  })
  approvedTerms(@Root() { approvedTerms }: Domain): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description:
      "The terms of the counter-offer that awaits the applicant's answer; null when there " +
      'is none.',
  })
  counterOffer(@Root() { counterOffer }: Domain): LoanTerms | null {
    return termsOut(counterOffer)
  }

  @FieldResolver(() => CreditRecommendation, {
    nullable: true,
    description:
      'The recommendation of the credit policy; null before there is one and for delegated ' +
      'users.',
  })
  recommendation(@Root() { recommendation }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? recommendation : null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why the latest attempt to set up the loan failed; null when none failed and for ' +
      'delegated users.',
  })
  bookingRefusal(@Root() { bookingRefusal }: Domain, @Ctx() { caller }: Context) {
    return caller.partyId === null ? bookingRefusal : null
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
      'The identifier of the loan, which is the identifier of the facility; null when the ' +
      'application is not approved.',
  })
  loanId(@Root() { facilityId }: Domain): string | null {
    return facilityId
  }

  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility that was opened for the application; null until the loan is booked.',
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
    description: 'The pricing quote on which the application is based; null when there is none.',
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
    description: 'The case in which a person reviews the application; null when none was opened.',
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
      'The loan applications of the customer in the order of their creation; null when the ' +
      'caller may not read them.',
  })
  loanApplications(
    @Root() { customerId }: Customer,
    @Arg('status', () => ApplicationStatusEnum, {
      nullable: true,
      description: 'Only applications in this state.',
    })
    status: ApplicationStatus | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return applicationPage(context, { customerId, status }, { first, after })
  }
}

/** One page of the applications that the caller may see. */
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
