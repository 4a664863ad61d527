import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { bookLoans } from './workers/booking.ts'
import './events.ts'
import './personal-data.ts'
import {
  CustomerApplicationsResolver,
  LoanApplicationOperations,
  LoanApplicationResolver,
} from './graph/application.resolver.ts'
import {
  CreditAuthorityResolver,
  CreditDecisionResolver,
  CreditOperations,
} from './graph/decision.resolver.ts'
import {
  CreditDecisionNoticeResolver,
  DecisionNoticeResolver,
  NoticeOperations,
} from './graph/notice.resolver.ts'
import { notifyApplicants } from './workers/notice.ts'
import { decideApplications } from './workers/policy.ts'
import { closeReviewCases, expireOffers, openReviewCases } from './workers/review.ts'
import { loadApplication } from './store/application.ts'

/** The subgraph of loan applications, credit decisions and the acceptance of terms. */
export const origination: Subgraph = {
  name: 'origination',
  resolvers: [
    LoanApplicationOperations,
    LoanApplicationResolver,
    CreditOperations,
    CustomerApplicationsResolver,
    CreditDecisionResolver,
    CreditAuthorityResolver,
    NoticeOperations,
    CreditDecisionNoticeResolver,
    DecisionNoticeResolver,
  ],
  types: [],
  references: {
    LoanApplication: referenceTo('lending:read', 'applicationId', loadApplication),
    Customer: referenceByKey('customerId'),
  },
  workers: [
    decideApplications,
    openReviewCases,
    closeReviewCases,
    notifyApplicants,
    expireOffers,
    bookLoans,
  ],
}
