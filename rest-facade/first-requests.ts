import type { Examples } from './examples.ts'

/** For operations whose payload is plain: one request that does something in the sandbox as it is delivered. */
export const firstRequests: Readonly<Record<string, Examples>> = {
  createProduct: first('A product that is not on offer yet.', {
    productId: 'prd_students',
    name: 'Students’ account',
    productClass: 'current-account',
    status: 'draft',
    version: '2026.1',
  }),
  openAccount: first('An account of Ada’s; it is active at once.', {
    customerId: 'cus_ada',
    productId: 'prd_savings',
  }),
  createAssistSession: first('A session with the assistant of fixed intents.', {
    assistantType: 'servicing-agent',
  }),
  createCollateral: first('A house; the graph lists what it lacks before it counts as coverage.', {
    collateralType: 'real-estate',
  }),
  createRoutingProfile: first(
    'An active profile that answers the default queue on every channel.',
    { name: 'Night desk' },
  ),
  createEventSubscription: first('Every event of accounts; `*` is every event there is.', {
    eventType: 'accounts.*',
  }),
  createNotificationTemplate: first('A template that may be used at once.', {
    channel: 'email',
    status: 'active',
  }),
  createHardshipRequest: {
    path: { loanId: 'loan_ada' },
    ...first('Ada’s hours were cut.', { type: 'term-extension', reason: 'Fewer hours of work' }),
  },
  acceptLoanTerms: {
    path: { applicationId: 'app_approved' },
    ...first('Ada takes what was approved.', {
      acceptedAt: '2026-11-21T09:30:00.000Z',
      acceptanceChannel: 'web',
    }),
  },
  createNotification: first('A letter to Ada; it is in the local mailbox a moment later.', {
    partyId: 'pty_ada',
    channel: 'email',
    templateCode: 'tpl_welcome',
    personalization: { name: 'Ada' },
  }),
  createPaymentHoliday: {
    path: { facilityId: 'loan_ada' },
    ...first('Two months without an instalment.', {
      startDate: '2027-01-10',
      endDate: '2027-03-09',
    }),
  },
  createExtraPayment: {
    path: { facilityId: 'loan_ada' },
    ...first('Today, from the settlement account.', { amount: '100.00' }),
  },
  sendAssistMessage: {
    path: { sessionId: 'ses_ada' },
    ...first('A question about an account.', {
      content: 'What is the balance of arr_ada_current?',
    }),
  },
}

function first(summary: string, value: object): Examples {
  return { requests: { first: { summary, value } } }
}
