import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { bookLoans } from './booking-worker.ts'
import './events.ts'
import {
  CustomerApplicationsResolver,
  LoanApplicationResolver,
} from './graph/application.resolver.ts'
import {
  CreditAuthorityResolver,
  CreditDecisionResolver,
  LoanApplicationActsResolver,
} from './graph/decision.resolver.ts'
import { CreditDecisionNoticeResolver, DecisionNoticeResolver } from './graph/notice.resolver.ts'
import { tellApplicants } from './notice-worker.ts'
import { judgeApplications } from './policy-worker.ts'
import { closeReviewCases, expireOffers, openReviewCases } from './review-worker.ts'
import { loadApplication } from './store/application.ts'

/** The subgraph of loan applications, credit decisions and the acceptance of terms. */
export const origination: Subgraph = {
  name: 'origination',
  resolvers: [
    LoanApplicationResolver,
    LoanApplicationActsResolver,
    CustomerApplicationsResolver,
    CreditDecisionResolver,
    CreditAuthorityResolver,
    CreditDecisionNoticeResolver,
    DecisionNoticeResolver,
  ],
  types: [],
  references: {
    LoanApplication: ({ applicationId }: { applicationId: string }, context) => {
      requireScope(context.caller, 'lending:read')
      return loadApplication(context, applicationId)
    },
    Customer: ({ customerId }: { customerId: string }) => ({ customerId }),
  },
  workers: [
    judgeApplications,
    openReviewCases,
    closeReviewCases,
    tellApplicants,
    expireOffers,
    bookLoans,
  ],
}
