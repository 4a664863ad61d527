import type { Examples } from './examples.ts'

/** One request for each operation with a simple payload. Each works in a new sandbox. */
export const firstRequests: Readonly<Record<string, Examples>> = {
  createProduct: exampleOf('A draft product, which is not on offer yet.', {
    productId: 'prd_students',
    name: 'Students’ account',
    productClass: 'current-account',
    status: 'draft',
    version: '2026.1',
  }),
  openAccount: exampleOf('An account for Ada, which is active immediately.', {
    customerId: 'cus_ada',
    productId: 'prd_savings',
  }),
  createAssistSession: exampleOf('A session with the fixed-intent assistant.', {
    assistantType: 'servicing-agent',
  }),
  createCollateral: exampleOf(
    'A house. In the graph, `missing` lists what the record needs before it covers a facility.',
    {
      collateralType: 'real-estate',
    },
  ),
  createRoutingProfile: exampleOf(
    'An active profile that serves the default queue on all channels.',
    {
      name: 'Night desk',
    },
  ),
  createEventSubscription: exampleOf('All events of accounts. `*` subscribes to all events.', {
    eventType: 'accounts.*',
  }),
  createNotificationTemplate: exampleOf('A template that can be used immediately.', {
    channel: 'email',
    status: 'active',
  }),
  createHardshipRequest: {
    path: { loanId: 'loan_ada' },
    ...exampleOf('A term extension, because Ada’s working hours were reduced.', {
      type: 'term-extension',
      reason: 'Fewer hours of work',
    }),
  },
  acceptLoanTerms: {
    path: { applicationId: 'app_approved' },
    ...exampleOf('Ada accepts the approved terms.', {
      acceptedAt: '2026-11-21T09:30:00.000Z',
      acceptanceChannel: 'web',
    }),
  },
  createNotification: exampleOf('An email to Ada. The sandbox delivers it to the local mailbox.', {
    partyId: 'pty_ada',
    channel: 'email',
    templateCode: 'tpl_welcome',
    personalization: { name: 'Ada' },
  }),
  createPaymentHoliday: {
    path: { facilityId: 'loan_ada' },
    ...exampleOf(
      'A payment holiday of two months without installments, for a loan. A revolving facility has none.',
      {
        startDate: '2027-01-10',
        endDate: '2027-03-09',
      },
    ),
  },
  createExtraPayment: {
    path: { facilityId: 'loan_ada' },
    requests: {
      first: {
        summary: 'An extra payment today, which is debited from an account of the borrower.',
        value: { amount: '100.00', sourceArrangementId: 'arr_ada_current' },
      },
      announced: {
        summary: 'An extra payment from outside the bank. It is applied when the money arrives.',
        value: { amount: '100.00' },
      },
    },
  },
  sendAssistMessage: {
    path: { sessionId: 'ses_ada' },
    ...exampleOf('A question about an account.', {
      content: 'What is the balance of arr_ada_current?',
    }),
  },
}

function exampleOf(summary: string, value: object): Examples {
  return { requests: { first: { summary, value } } }
}
