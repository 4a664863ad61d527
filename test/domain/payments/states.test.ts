import { PaymentState } from '../../../subgraphs/payments/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../kernel/domain/problem.ts'
import {
  transitionPayment,
  paymentTransitions,
  viewersOf,
  type Payment,
} from '../../../subgraphs/payments/domain/payment.ts'
import { cancel } from '../../../subgraphs/payments/domain/rail.ts'
import {
  advance,
  returnTo,
  send,
  type RailBatch,
} from '../../../subgraphs/payments/domain/rail-batch.ts'
import { internal } from '../../../subgraphs/payments/rails/internal/rail.ts'
import { scheme as sct } from '../../../subgraphs/payments/rails/sct/domain/scheme.ts'

const now = new Date('2026-03-02T15:00:00Z')
const paymentIn = (state: PaymentState, more: Partial<Payment> = {}) =>
  ({
    paymentId: 'pay_1',
    partyId: 'pty_ada',
    debtorArrangementId: 'arr_ada',
    creditorArrangementId: 'arr_grace',
    creditorPartyId: 'pty_grace',
    amountMinor: 100n,
    currency: 'EUR',
    executionDate: '2026-03-02',
    cutOffAt: now,
    dueAt: now,
    ...more,
    state,
  }) as Payment
const head = { batchId: 'rba_1', contentHash: '', version: 1, createdAt: now, updatedAt: now }
const batchIn = (state: RailBatch['state']) =>
  ({ ...head, state, currency: 'EUR', totalMinor: 100n, settlesAt: now }) as RailBatch

/** What can be done to a payment: from which states, and to which. */
const actions: Record<
  string,
  { from: PaymentState[]; to: PaymentState; act: (p: Payment) => Payment }
> = {
  'execution on the internal rail': {
    from: ['pending-signatures', 'scheduled'],
    to: 'settled',
    act: (payment) => internal.execute(payment, now).payment,
  },
  'acceptance on the SEPA rail': {
    from: ['pending-signatures', 'scheduled'],
    to: 'accepted',
    act: (payment) => sct.execute(payment, now).payment,
  },
  cancellation: {
    from: ['pending-signatures', 'scheduled', 'accepted'],
    to: 'cancelled',
    act: (payment) => cancel(payment, now).payment,
  },
  submission: {
    from: ['accepted'],
    to: 'submitted',
    act: (payment) => send(sct, [payment], head, now).payments[0]!,
  },
  'acknowledgment of its batch': {
    from: ['submitted'],
    to: 'acknowledged',
    act: (payment) => advance(sct, batchIn('sent'), [payment], now).payments[0]!,
  },
  return: {
    from: ['settled'],
    to: 'returned',
    act: (payment) =>
      returnTo(sct, payment, { reasonCode: 'AC04', isCreditable: true }, now).payment,
  },
}

describe.each(Object.entries(actions))('%s of a payment', (_name, { from, to, act }) => {
  test.each(PaymentState.values)('when it is %s', (state) => {
    // Two actions lead to settled, each from its own state.
    const isAllowed = from.includes(state) || paymentTransitions[state].includes(to)
    if (isAllowed) expect(act(paymentIn(state)).state).toBe(to)
    else expect(() => act(paymentIn(state))).toThrow(`cannot become ${to}`)
  })
})

test('a payment makes exactly the transitions of the table', () => {
  for (const from of PaymentState.values) {
    for (const to of PaymentState.values) {
      const transition = () => transitionPayment(paymentIn(from), to)
      if (paymentTransitions[from].includes(to)) expect(transition().state).toBe(to)
      else expect(transition).toThrow(Problem)
    }
  }
})

test('a batch goes from sent to acknowledged to settled, and no further', () => {
  expect(advance(sct, batchIn('sent'), [], now).batch.state).toBe('acknowledged')
  expect(advance(sct, batchIn('acknowledged'), [], now).batch.state).toBe('settled')
  expect(() => advance(sct, batchIn('settled'), [], now)).toThrow('cannot become settled')
})

test('the creditor owns a payment together with the debtor only while it is settled', () => {
  for (const state of PaymentState.values) {
    const owners = state === 'settled' ? ['pty_ada', 'pty_grace'] : ['pty_ada']
    expect(viewersOf(paymentIn(state))).toEqual(owners)
  }
})
