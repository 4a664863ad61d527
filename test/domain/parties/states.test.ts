import {
  customerStates,
  kycStates,
  type Customer,
} from '../../../subgraphs/parties/model/customer.ts'
import { agreementStates, type Agreement } from '../../../subgraphs/parties/model/agreement.ts'
import { partyStates, type Party } from '../../../subgraphs/parties/model/party.ts'
import {
  PartyStatus,
  CustomerStatus,
  KycState,
  AgreementStatus,
} from '../../../subgraphs/parties/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import * as agreements from '../../../subgraphs/parties/domain/agreement.ts'
import * as customers from '../../../subgraphs/parties/domain/customer.ts'
import * as parties from '../../../subgraphs/parties/domain/party.ts'

const now = new Date('2026-03-02T09:00:00Z')
const today = '2026-03-02'
const request = { now, subject: 'grace' }
const made = { contentHash: 'hash', now }

const party = (changes: Partial<Party> = {}): Party => ({
  ...parties.newParty({ kind: 'person', givenName: 'Ada' }, { ...made, partyId: 'pty_1' }),
  ...changes,
})
const customer = (changes: Partial<Customer>): Customer => ({
  ...customers.newCustomer({ partyId: 'pty_1' }, { ...made, customerId: 'cus_1' }),
  ...changes,
})
const agreement = (changes: Partial<Agreement>): Agreement => ({
  ...agreements.newAgreement(
    { partyId: 'pty_1', productCode: 'current', agreementType: 'current-account' },
    { ...made, agreementId: 'agr_1' },
  ),
  ...changes,
})

/** The result of a decision: the new state, or the code of the problem. */
function outcome(decide: () => string): string {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const refused = 'INVALID_STATE_TRANSITION'

/** Tests every action in every state; what a row does not list is rejected. */
function walk(
  states: readonly string[],
  allowed: Record<string, Record<string, string>>,
  decide: (state: string, transition: string) => string,
) {
  for (const [transition, from] of Object.entries(allowed)) {
    test.each(states)(`${transition} from %s`, (state) => {
      expect(outcome(() => decide(state, transition))).toBe(from[state] ?? refused)
    })
  }
}

describe('party', () => {
  const transitions: Record<string, (before: Party) => Party> = {
    recordDeath: (before) => applyTransition(partyStates, 'recordDeath', before, request),
    closeParty: (before) => applyTransition(partyStates, 'closeParty', before, request),
  }
  walk(
    PartyStatus.values,
    {
      recordDeath: { active: 'deceased' },
      closeParty: { active: 'closed', deceased: 'closed' },
    },
    (state, transition) => transitions[transition]!(party({ status: state as PartyStatus })).status,
  )
})

describe('customer', () => {
  const transitions: Record<string, (before: Customer) => Customer> = {
    activate: (before) => applyTransition(customerStates, 'activateCustomer', before, request),
    suspend: (before) => applyTransition(customerStates, 'suspendCustomer', before, request),
    reactivate: (before) => applyTransition(customerStates, 'reactivateCustomer', before, request),
    close: (before) => applyTransition(customerStates, 'closeCustomer', before, request),
  }
  walk(
    CustomerStatus.values,
    {
      activate: { prospect: 'active' },
      suspend: { active: 'suspended' },
      reactivate: { suspended: 'active' },
      close: { prospect: 'closed', active: 'closed', suspended: 'closed' },
    },
    (state, transition) => {
      const status = state as CustomerStatus
      return transitions[transition]!(customer({ status, kycState: 'passed', kycExpiresOn: today }))
        .status
    },
  )
})

describe('KYC', () => {
  const unlessClosed = (name: keyof (typeof kycStates)['transitions'], before: Customer) => {
    customers.requireNotClosed(before)
    return applyTransition(kycStates, name, before, request)
  }
  const transitions: Record<string, (before: Customer) => Customer> = {
    start: (before) => unlessClosed('startKyc', before),
    pass: (before) => unlessClosed('passKyc', before),
    fail: (before) => unlessClosed('failKyc', before),
    expire: customers.expireKyc,
  }
  walk(
    KycState.values,
    {
      start: { 'not-started': 'in-progress', failed: 'in-progress', expired: 'in-progress' },
      pass: { 'in-progress': 'passed' },
      fail: { 'in-progress': 'failed' },
      expire: { passed: 'expired' },
    },
    (state, transition) =>
      transitions[transition]!(customer({ kycState: state as KycState })).kycState,
  )

  test.each(Object.keys(transitions))('%s is rejected for a closed customer', (transition) => {
    const closed = customer({ status: 'closed', kycState: 'in-progress' })
    expect(outcome(() => transitions[transition]!(closed).kycState)).toBe('STATE_CONFLICT')
  })
})

describe('agreement', () => {
  const make = (name: keyof (typeof agreementStates)['transitions']) => (before: Agreement) =>
    applyTransition(agreementStates, name, before, request)
  const transitions: Record<string, (before: Agreement) => Agreement> = {
    send: make('sendAgreementForSignature'),
    sign: make('signAgreement'),
    cancel: make('cancelAgreement'),
    suspend: make('suspendAgreement'),
    resume: make('resumeAgreement'),
    terminate: make('terminateAgreement'),
    expire: (before) => agreements.expireAgreement({ ...before, effectiveTo: '2026-03-01' }, today),
  }
  walk(
    AgreementStatus.values,
    {
      send: { draft: 'pending-signature' },
      sign: { 'pending-signature': 'active' },
      cancel: { draft: 'cancelled', 'pending-signature': 'cancelled' },
      suspend: { active: 'suspended' },
      resume: { suspended: 'active' },
      terminate: { active: 'terminated', suspended: 'terminated' },
      expire: { active: 'expired' },
    },
    (state, transition) =>
      transitions[transition]!(agreement({ status: state as AgreementStatus })).status,
  )
})
