import { CreditDecision } from '../model/decision.ts'
import { ApplicationStatus } from '../model/enumerations.ts'
import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { createApplication } from '../commands/application.ts'
import { changeApplication } from '../commands/change.ts'
import { ownersOf, withCaseId } from '../domain/application.ts'
import {
  applicationTable,
  listApplications,
  loadApplication,
  type ApplicationFilter,
} from '../store/application.ts'
import { loadDecisions } from '../store/decision.ts'
import { CreateLoanApplicationInput, withAmounts } from '../model/application-inputs.ts'
import { applicationStates, LoanApplication } from '../model/application.ts'
import { LoanTerms } from '../model/loan-terms.ts'
import {
  AgreementStub,
  CaseStub,
  Customer,
  FacilityStub,
  PricingQuoteStub,
} from '../model/references.ts'
import { termsOut } from './terms-out.ts'

export const LoanApplicationOperations = resolverOf({
  queries: {
    loanApplication: lookup(LoanApplication, {
      description: 'Returns one loan application.',
      scope: 'lending:read',
      async find(context, applicationId) {
        const found = await loadApplication(context, applicationId)
        return requireVisible(context, found, ownersOf, 'APPLICATION_NOT_FOUND', applicationId)
      },
    }),
    loanApplications: listing(LoanApplication, {
      description: 'Returns loan applications in order of creation. All filters must match.',
      scope: 'lending:read',
      filters: {
        customerId: id('Returns only applications of this customer.').orNull(),
        status: oneOf(ApplicationStatus, 'Returns only applications in this state.').orNull(),
      },
      list: listApplications,
      sortKey: applicationTable.sortKey,
    }),
  },
  mutations: {
    createLoanApplication: operation({
      description: 'Creates a draft loan application.',
      scope: 'credit:submit',
      returns: LoanApplication,
      args: { input: object(CreateLoanApplicationInput, 'The application to create.') },
      resolve: (context, { input }) => createApplication(context, withAmounts(input)),
    }),
    ...transitionsOf(applicationStates, changeApplication, {
      startCreditReview: (inReview, { context }) => withCaseId(inReview, context.newId('case')),
    }),
  },
})

@Resolver(() => LoanApplication)
export class LoanApplicationResolver {
  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The requested amount; null if none was given.',
  })
  requestedAmount(@Root() { amountMinor, currency }: LoanApplication): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency: currency! })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The net monthly income of the applicant; null if not stated.',
  })
  monthlyIncome(@Root() { incomeMinor, currency }: LoanApplication): MoneyType | null {
    return incomeMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: incomeMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The monthly payments of the applicant on other debts; null if not stated.',
  })
  monthlyObligations(@Root() { obligationsMinor, currency }: LoanApplication): MoneyType | null {
    return obligationsMinor === null || currency === null
      ? null
      : moneyOut({ amountMinor: obligationsMinor, currency })
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description: 'The approved terms; null if the application was not approved.',
  })
  approvedTerms(@Root() { approvedTerms }: LoanApplication): LoanTerms | null {
    return termsOut(approvedTerms)
  }

  @FieldResolver(() => LoanTerms, {
    nullable: true,
    description:
      'The terms of a counter-offer that is open, was rejected or has expired; null if there is ' +
      'none.',
  })
  counterOffer(@Root() { counterOffer }: LoanApplication): LoanTerms | null {
    return termsOut(counterOffer)
  }

  @Requires('lending:read')
  @FieldResolver(() => [CreditDecision], {
    description:
      'The credit decisions on the application, in the order in which they were recorded.',
  })
  async decisions(@Root() { applicationId }: LoanApplication, @Ctx() context: Context) {
    return (await loadDecisions(context, applicationId)) ?? []
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The ID of the loan, which is also the ID of its facility; null before the approval, and ' +
      'after the application is closed without a loan.',
  })
  loanId(@Root() { facilityId }: LoanApplication): string | null {
    return facilityId
  }

  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility that was opened for the application; null until the loan is set up.',
  })
  facility(@Root() { facilityId, bookedAt }: LoanApplication): FacilityStub | null {
    return facilityId === null || bookedAt === null ? null : { facilityId }
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'The customer who applies.' })
  customer(@Root() { customerId }: LoanApplication): Customer {
    return { customerId }
  }

  @FieldResolver(() => PricingQuoteStub, {
    nullable: true,
    description: 'The pricing quote on which the application is based; null if there is none.',
  })
  quote(@Root() { quoteId }: LoanApplication): PricingQuoteStub | null {
    return quoteId === null ? null : { pricingQuoteId: quoteId }
  }

  @FieldResolver(() => AgreementStub, {
    nullable: true,
    description: 'The loan agreement; null until the terms are accepted.',
  })
  agreement(@Root() { agreementId, acceptances }: LoanApplication): AgreementStub | null {
    return agreementId === null || acceptances.length === 0 ? null : { agreementId }
  }

  @FieldResolver(() => CaseStub, {
    nullable: true,
    description: 'The case in which a person reviews the application; null if none was opened.',
  })
  case(@Root() { caseId, isCaseOpen }: LoanApplication): CaseStub | null {
    return caseId === null || !isCaseOpen ? null : { caseId }
  }
}

@Resolver(() => Customer)
export class CustomerApplicationsResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(LoanApplication), {
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
  ): Promise<Page<LoanApplication>> {
    const filter: ApplicationFilter = { customerId, status: status ?? null }
    const read = (from: string[] | null, take: number) =>
      listApplications(context, filter, from, take)
    const page = { first, after }
    return readPage(
      context,
      'loanApplications',
      { ...filter },
      page,
      read,
      applicationTable.sortKey,
    )
  }
}
