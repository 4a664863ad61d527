import { describe, expect, test } from 'vitest'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
import {
  movePayment,
  ownersOf,
  paymentMoves,
  paymentStates,
  type Payment,
  type PaymentState,
} from '../../../subgraphs/payments/domain/payment.ts'
import { cancel, internal } from '../../../subgraphs/payments/domain/rail.ts'
import {
  advanceBatch,
  giveBack,
  sct,
  send,
  type RailBatch,
} from '../../../subgraphs/payments/domain/sct.ts'

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

/** What can be done to a payment: from which states, to which. */
const acts: Record<
  string,
  { from: PaymentState[]; to: PaymentState; act: (p: Payment) => Payment }
> = {
  'the bank itself takes it': {
    from: ['scheduled'],
    to: 'settled',
    act: (payment) => internal.take(payment, now).payment,
  },
  'the credit transfer takes it': {
    from: ['scheduled'],
    to: 'accepted',
    act: (payment) => sct.take(payment, now).payment,
  },
  'it is given up': {
    from: ['scheduled', 'accepted'],
    to: 'cancelled',
    act: (payment) => cancel(payment, now).payment,
  },
  'it is sent': {
    from: ['accepted'],
    to: 'submitted',
    act: (payment) => send([payment], head, now).payments[0]!,
  },
  'its batch is acknowledged': {
    from: ['submitted'],
    to: 'acknowledged',
    act: (payment) => advanceBatch(batchIn('sent'), [payment], now).payments[0]!,
  },
  'it comes back': {
    from: ['settled'],
    to: 'returned',
    act: (payment) => giveBack(payment, now, true).payment,
  },
}

describe.each(Object.entries(acts))('%s', (_name, { from, to, act }) => {
  test.each(paymentStates)('when it is %s', (state) => {
    // Two ways lead to settled, each from its own state.
    const isAllowed = from.includes(state) || paymentMoves[state].includes(to)
    if (isAllowed) expect(act(paymentIn(state)).state).toBe(to)
    else expect(() => act(paymentIn(state))).toThrow(`cannot become ${to}`)
  })
})

test('every move of the table is made, and no other', () => {
  for (const from of paymentStates) {
    for (const to of paymentStates) {
      const move = () => movePayment(paymentIn(from), to)
      if (paymentMoves[from].includes(to)) expect(move().state).toBe(to)
      else expect(move).toThrow(Problem)
    }
  }
})

test('a batch goes its way, and nothing else', () => {
  expect(advanceBatch(batchIn('sent'), [], now).batch.state).toBe('acknowledged')
  expect(advanceBatch(batchIn('acknowledged'), [], now).batch.state).toBe('settled')
  expect(() => advanceBatch(batchIn('settled'), [], now)).toThrow('cannot become settled')
})

test('the receiver has a part in it from when they have the money', () => {
  for (const state of paymentStates) {
    const owners = state === 'settled' ? ['pty_ada', 'pty_grace'] : ['pty_ada']
    expect(ownersOf(paymentIn(state))).toEqual(owners)
  }
})
