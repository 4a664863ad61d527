import { ExtraPaymentState } from '../../../subgraphs/lending/model/repayments/enumerations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extraPaymentTransitions } from '../../../subgraphs/lending/domain/repayments/extra-payment-request.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLoan,
  eur,
  facilityOf,
  findings,
  fund,
  morningOf,
  opened,
  eventsOf,
  publish,
} from './facility-kit.ts'
import { aProduct, does, made, payExtra, previewExtra } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const actions = {
  applyExtraPayment: 'applied',
  cancelExtraPayment: 'cancelled',
  reverseExtraPayment: 'reversed',
} as const
/** An extra payment in a state, on its own loan. */
const paymentIn = async (state: ExtraPaymentState): Promise<string> => {
  const { facilityId } = await opened(bank, aLoan())
  const request = { facilityId, amount: '100.00' }
  const { extraPaymentId: id } = await made(payExtra(bank, request))
  if (state === 'applied' || state === 'reversed')
    await made(does(bank, 'applyExtraPayment', 'extraPayment', id))
  if (state === 'reversed') await made(does(bank, 'reverseExtraPayment', 'extraPayment', id))
  if (state === 'cancelled') await made(does(bank, 'cancelExtraPayment', 'extraPayment', id))
  if (state === 'rejected') {
    await bank.rows(
      `update lending.extra_payment set state = 'rejected' where extra_payment_id = $1`,
      [id],
    )
  }
  return id
}

for (const state of ExtraPaymentState.values) {
  for (const [name, to] of Object.entries(actions)) {
    const isLegal = extraPaymentTransitions[state].includes(to)
    test(`${name} in state ${state}: ${isLegal ? to : 'invalid transition'}`, async () => {
      const id = await paymentIn(state)
      const everything = async () => [
        await bank.rows('select * from lending.extra_payment where extra_payment_id = $1', [id]),
        await bank.rows('select count(*) from ledger.entry'),
        await eventsOf(bank, `extra-payment/${id}`),
      ]
      const before = await everything()
      const { data, errors } = await does(bank, name, 'extraPayment', id)
      if (isLegal) {
        expect(errors).toEqual([])
        expect(data.record.status).toBe(to.toUpperCase())
        expect((await eventsOf(bank, `extra-payment/${id}`)).at(-1)).toBe(to)
      } else {
        expect(errors[0]!.extensions).toMatchObject({
          code: 'INVALID_STATE_TRANSITION',
          currentState: state,
          allowedStates: extraPaymentTransitions[state],
        })
        expect(await everything()).toEqual(before)
      }
    })
  }
}

test('the prepayment fee counts for the signing rule of the account', async () => {
  await fund(bank, 'arr_ada', 2_000_00n)
  await aProduct(bank, 'prd_fee', { prepaymentFeePct: '5' })
  const product = { productId: 'prd_fee', productVersion: '2026.1' }
  const { facilityId } = await opened(bank, aLoan(product))
  await publish(bank, 'signing-rule/arr_ada', {
    signingRuleId: 'sgr_1',
    requiredSignatures: 2,
    fromMinor: '100500',
    signatoryPartyIds: ['pty_ada', 'pty_grace'],
  })
  // Half a percent with less than a year to go.
  const from = (amount: string) => ({ facilityId, amount, sourceArrangementId: 'arr_ada' })
  const asAda = { caller: ada }
  expect((await previewExtra(bank, from('1000.00'), asAda)).code).toBe('SIGNATURES_REQUIRED')
  expect((await payExtra(bank, from('1000.00'), asAda)).code).toBe('SIGNATURES_REQUIRED')
  const paid = await made(payExtra(bank, from('999.00'), asAda))
  expect(paid).toMatchObject({ status: 'APPLIED', prepaymentFee: eur('5.00') })
})

test('a signatory pays off alone what is below the amount of the signing rule', async () => {
  const { facilityId } = await opened(bank, aLoan())
  const payoff = { facilityId, strategy: 'PAYOFF', sourceArrangementId: 'arr_ada' }
  const requireTwoFrom = (fromMinor: string) =>
    publish(bank, 'signing-rule/arr_ada', {
      signingRuleId: 'sgr_2',
      requiredSignatures: 2,
      fromMinor,
      signatoryPartyIds: ['pty_ada', 'pty_grace'],
    })
  await requireTwoFrom('2000000')
  expect((await previewExtra(bank, payoff, { caller: ada })).code).toBeUndefined()
  await requireTwoFrom('1000000')
  expect((await previewExtra(bank, payoff, { caller: ada })).code).toBe('SIGNATURES_REQUIRED')
})

test('a payoff that is booked after its day pays what was owed on that day', async () => {
  bank.clock.set('2026-03-17T09:00:00Z')
  const { facilityId } = await opened(bank, aLoan({ openedOn: '2026-03-02' }))
  const request = { facilityId, strategy: 'PAYOFF' }
  const { extraPaymentId: id, amount } = await made(payExtra(bank, request))
  // 12,000 at 6 % a year, 15 of the 31 days of the month to 2 April.
  expect(amount).toEqual(eur('12029.03'))
  await morningOf(bank, '2026-03-20')
  const applied = await made(does(bank, 'applyExtraPayment', 'extraPayment', id))
  expect(applied).toMatchObject({ amount, status: 'APPLIED', paymentDate: '2026-03-17' })
  expect(await facilityOf(bank, facilityId)).toMatchObject({
    state: 'PAID_OFF',
    outstandingPrincipal: { amount: '0.00' },
    accruedInterest: { amount: '0.00' },
  })
})
