/** Requests and an answer as they look on the wire, shown in the served contract. A test holds them to its schemas. */
export interface Examples {
  requests: Readonly<Record<string, { summary: string; value: object }>>
  answer: object
}

const eur = (amount: string) => ({ amount, currency: 'EUR' })

const createPostingInstruction: Examples = {
  requests: {
    transfer: {
      summary: 'Money from one account to another; the type follows from the two arrangements.',
      value: {
        debtorArrangementId: 'arr_ada_current',
        creditorArrangementId: 'arr_ada_savings',
        amount: eur('25.00'),
        remittanceInformation: 'For the holidays',
      },
    },
    inbound: {
      summary: 'Money that came in over a rail.',
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
      summary: 'A promise, such as a card payment; it lowers what is available.',
      value: {
        type: 'outbound-authorisation',
        arrangementId: 'arr_ada_current',
        amount: eur('80.00'),
        clientTransactionId: 'card-4711',
        expiresAt: '2026-12-01T00:00:00Z',
      },
    },
    settlement: {
      summary: 'Part of what was promised is booked; `final` releases the rest.',
      value: {
        type: 'settlement',
        clientTransactionId: 'card-4711',
        amount: eur('72.50'),
        final: true,
      },
    },
    exchange: {
      summary: 'A transfer into another currency, through the bank’s positions in both.',
      value: {
        debtorArrangementId: 'arr_eur',
        creditorArrangementId: 'arr_usd',
        amount: eur('100.00'),
        creditorAmount: { amount: '108.40', currency: 'USD' },
      },
    },
    custom: {
      summary: 'Entries of your own; per currency, debits equal credits.',
      value: {
        type: 'custom',
        entries: [
          { account: 'suspense/EUR', side: 'debit', amount: eur('10.00') },
          { account: 'arr_ada_current', side: 'credit', amount: eur('10.00') },
        ],
      },
    },
    reversal: {
      summary: 'Takes a posting back. Once.',
      value: { reversesId: 'pin_01m7yyhxbsecvrd88gzdt1g3bf' },
    },
    batch: {
      summary: 'Up to 1,000 instructions that happen together or not at all.',
      value: {
        clientBatchId: 'payroll-2026-11',
        instructions: [
          {
            debtorArrangementId: 'arr_works',
            creditorArrangementId: 'arr_ada_current',
            amount: eur('1250.00'),
          },
          {
            debtorArrangementId: 'arr_works',
            creditorArrangementId: 'arr_grace_current',
            amount: eur('1310.00'),
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

/** By operation, for those whose payload says more in an example than in its schema. */
export const examples: Readonly<Record<string, Examples>> = { createPostingInstruction }
