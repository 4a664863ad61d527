/**
 * Examples of requests and responses of one operation as sent over the wire, and of the ID in its
 * path. They appear in the OpenAPI document. Tests validate them against the schemas, and send the
 * first request of each operation to a new sandbox.
 */
export interface Examples {
  path?: Readonly<Record<string, string>>
  requests: Readonly<Record<string, { summary: string; value: object }>>
  answer?: object
}

const eur = (amount: string) => ({ amount, currency: 'EUR' })

const createPostingInstruction: Examples = {
  requests: {
    transfer: {
      summary: 'A transfer between two accounts. The type is inferred from the two arrangements.',
      value: {
        debtorArrangementId: 'arr_ada_current',
        creditorArrangementId: 'arr_ada_savings',
        amount: eur('25.00'),
        remittanceInformation: 'For the holidays',
      },
    },
    inbound: {
      summary: 'An incoming payment over a rail.',
      value: {
        type: 'inbound-hard-settlement',
        arrangementId: 'arr_ada_current',
        amount: eur('1250.00'),
        rail: 'sct',
        endToEndId: 'SALARY-2026-11',
        counterparty: { name: 'Analytical Engines Ltd' },
      },
    },
    authorisation: {
      summary: 'An authorization, such as for a card payment. It lowers the available balance.',
      value: {
        type: 'outbound-authorisation',
        arrangementId: 'arr_ada_current',
        amount: eur('80.00'),
        clientTransactionId: 'card-4711',
        expiresAt: '2026-12-01T00:00:00Z',
      },
    },
    settlement: {
      summary:
        'Settles a part of the authorization of the example before. `final` releases the rest.',
      value: {
        type: 'settlement',
        clientTransactionId: 'card-4711',
        amount: eur('72.50'),
        final: true,
      },
    },
    exchange: {
      summary:
        'A transfer to an account in another currency, over the bank’s position accounts in both currencies. Replace `arr_usd` with the ID of an account in USD, which the mutation `openAccountArrangement` of the graph opens.',
      value: {
        debtorArrangementId: 'arr_ada_current',
        creditorArrangementId: 'arr_usd',
        amount: eur('100.00'),
        creditorAmount: { amount: '108.40', currency: 'USD' },
      },
    },
    custom: {
      summary: 'Custom entries. For each currency, debits must equal credits.',
      value: {
        type: 'custom',
        entries: [
          { account: 'suspense/EUR', side: 'debit', amount: eur('10.00') },
          { account: 'arr_ada_current', side: 'credit', amount: eur('10.00') },
        ],
      },
    },
    reversal: {
      summary:
        'Reverses a posting. Replace the ID with the `postingInstructionId` of a response. Each posting can be reversed once.',
      value: { reversesId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf' },
    },
    batch: {
      summary: 'A batch of up to 1,000 instructions. Either all of them are booked, or none.',
      value: {
        clientBatchId: 'gifts-2026-11',
        instructions: [
          {
            debtorArrangementId: 'arr_ada_current',
            creditorArrangementId: 'arr_ada_savings',
            amount: eur('30.00'),
          },
          {
            debtorArrangementId: 'arr_ada_current',
            creditorArrangementId: 'arr_grace_current',
            amount: eur('20.00'),
          },
        ],
      },
    },
  },
  answer: {
    postingInstructionId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf',
    type: 'transfer',
    status: 'accepted',
    amount: eur('25.00'),
    entries: [
      {
        entryId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf.1',
        account: 'arr_ada_current',
        address: 'default',
        side: 'debit',
        amount: '25.00',
        currency: 'EUR',
        phase: 'committed',
        sequence: 12,
        balanceAfter: '975.00',
      },
      {
        entryId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf.2',
        account: 'arr_ada_savings',
        address: 'default',
        side: 'credit',
        amount: '25.00',
        currency: 'EUR',
        phase: 'committed',
        sequence: 3,
        balanceAfter: '4025.00',
      },
    ],
    balances: [
      {
        arrangementId: 'arr_ada_current',
        currency: 'EUR',
        committed: '975.00',
        pendingIn: '0.00',
        pendingOut: '80.00',
        available: '895.00',
        version: 12,
      },
      {
        arrangementId: 'arr_ada_savings',
        currency: 'EUR',
        committed: '4025.00',
        pendingIn: '0.00',
        pendingOut: '0.00',
        available: '4025.00',
        version: 3,
      },
    ],
    bookedAt: '2026-11-21T09:30:00.000Z',
    valueDate: '2026-11-21',
  },
}

const createDrawdown: Examples = {
  path: { facilityId: 'fac_ada' },
  requests: {
    least: {
      summary: 'A drawdown today, to the settlement account, in the currency of the facility.',
      value: { amount: '1000.00' },
    },
    elsewhere: {
      summary: 'A drawdown on a later day, to an account at another bank.',
      value: {
        amount: eur('2500.00'),
        valueDate: '2026-12-01',
        destination: {
          externalAccount: { iban: 'DE89370400440532013000', name: 'Konrad Zuse KG' },
        },
        purpose: 'Machines',
        reference: 'INV-2026-117',
      },
    },
  },
  answer: {
    drawdownId: 'drw_01m7yyhxbsecvrd88gzdt1g3bf',
    facilityId: 'fac_ada',
    amount: eur('1000.00'),
    status: 'disbursed',
    valueDate: '2026-11-21',
    availableLimitBefore: eur('5000.00'),
    availableLimitAfter: eur('4000.00'),
    outstandingPrincipal: eur('6000.00'),
    scheduleVersion: 3,
    nextInstalment: { dueDate: '2026-12-01', payment: eur('33.46') },
    postingInstructionId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf',
    createdAt: '2026-11-21T09:30:00.000Z',
  },
}

const recordCreditDecision: Examples = {
  path: { applicationId: 'app_submitted' },
  requests: {
    least: { summary: 'An approval of the requested terms.', value: { outcome: 'approved' } },
    approval: {
      summary: 'An approval of a lower amount, with a condition.',
      value: {
        outcome: 'approved',
        decidedBy: 'officer_mary',
        approvedTerms: { amount: eur('9000.00'), termMonths: 24, ratePct: '5.9' },
        conditions: [{ code: 'payslip', description: 'The last payslip', dueBy: '2026-12-15' }],
      },
    },
    decline: {
      summary: 'A decline with one to four reasons from form C-1 of Regulation B.',
      value: {
        outcome: 'declined',
        decidedBy: 'officer_mary',
        reasons: [{ code: 'income-insufficient' }, { code: 'obligations-excessive' }],
      },
    },
    referral: {
      summary: 'A referral to another decider, of an application that is not decided yet.',
      value: { outcome: 'referred', comment: 'The income is from abroad.' },
    },
  },
  answer: {
    decisionId: 'dec_01m7yyhxbsecvrd88gzdt1g3bf',
    applicationId: 'app_submitted',
    outcome: 'approved',
    decisionMode: 'manual',
    applicationStatus: 'approved',
    reasons: [],
    conditions: [],
    approvedTerms: {
      amount: eur('12000.00'),
      termMonths: 12,
      ratePct: '5.9',
      productId: 'prd_consumer_loan',
      quoteId: 'quo_consumer_loan',
    },
    decidedBy: 'officer_mary',
    decidedAt: '2026-11-21T09:30:00.000Z',
    expiresAt: '2026-12-21T09:30:00.000Z',
    facilityId: 'fac_01m7yyhxbsecvrd88gzdt1g3bf',
    loanId: 'fac_01m7yyhxbsecvrd88gzdt1g3bf',
  },
}

const submitCreditApplication: Examples = {
  path: { applicationId: 'app_draft' },
  requests: {
    least: { summary: 'Submits a draft that is complete.', value: {} },
    complete: {
      summary: 'Creates and submits a new application.',
      value: {
        customerId: 'cus_ada',
        quoteId: 'quo_consumer_loan',
        requestedAmount: eur('9000.00'),
        termMonths: 24,
        purpose: 'A new kitchen',
        monthlyIncome: eur('4200.00'),
        monthlyObligations: eur('350.00'),
        employedMonths: 60,
        settlementArrangementId: 'arr_ada_current',
        channel: 'web',
        declarations: [{ code: 'credit-bureau-check', accepted: true }],
      },
    },
  },
  answer: {
    applicationId: 'app_draft',
    status: 'submitted',
    submittedAt: '2026-11-21T09:30:00.000Z',
    decisionMode: 'hybrid',
    checks: [
      { code: 'completeness', status: 'passed' },
      { code: 'quote', status: 'passed' },
      { code: 'consent', status: 'passed' },
    ],
    decisionDueBy: '2026-12-21',
  },
}

/** Examples of operations whose payload the schema alone does not explain. */
export const fullExamples: Readonly<Record<string, Examples>> = {
  createPostingInstruction,
  createDrawdown,
  recordCreditDecision,
  submitCreditApplication,
}
