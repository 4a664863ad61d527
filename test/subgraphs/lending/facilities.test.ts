import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  eur,
  findings,
  grace,
  open,
  opened,
  eventsOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

describe('opening a facility', () => {
  test('creates the schedule of a disbursed loan and credits the account', async () => {
    const loan = await opened(bank, aLoan({ facilityId: 'loan_1' }))
    expect(loan).toMatchObject({
      kind: 'CONSUMER_LOAN',
      state: 'ACTIVE',
      available: { amount: '0.00' },
      outstandingPrincipal: { amount: '12000.00' },
      maturityDate: '2027-03-02',
      nextInstallment: { dueDate: '2026-04-02', payment: { amount: '1032.80' } },
    })
    expect(loan.schedule).toHaveLength(12)
    expect(await booked(bank, 'arr_ada')).toBe(1_200_000)
    expect(await booked(bank, 'loan@loan_1', 'principal')).toBe(1_200_000)
    expect(await eventsOf(bank, 'facility/loan_1')).toEqual([
      'opened',
      'activated',
      'schedule-changed',
    ])
    expect(await bank.fact('facility/loan_1')).toMatchObject({
      customerId: 'cus_ada',
      partyId: 'pty_ada',
      kind: 'consumer-loan',
      state: 'active',
      outstandingMinor: '1200000',
      availableMinor: '0',
    })
  })

  test('makes a loan available under the same id in `loan`, but not a limit', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_none' }))
    const findLoan = (id: string, caller = ada) =>
      bank.execute(
        'query ($id: ID!) { loan(loanId: $id) { loanId state facility { facilityId } } }',
        { id },
        { caller },
      )
    expect((await findLoan('loan_1')).data.loan.facility.facilityId).toBe('loan_1')
    expect((await findLoan('loan_1', grace)).data).toEqual({ loan: null })
    expect((await findLoan('fac_none')).data).toEqual({ loan: null })
  })

  test('returns the same facility for a repeated request, and rejects other content under its id', async () => {
    const again = await open(bank, aLoan({ facilityId: 'loan_1' }))
    expect(again.data.facility.facilityId).toBe('loan_1')
    expect(await booked(bank, 'arr_ada')).toBe(1_200_000)
    const other = await open(bank, aLoan({ facilityId: 'loan_1', ratePct: '7' }))
    expect(other.code).toBe('RESOURCE_EXISTS')
  })

  test.each([
    ['an unknown customer', aLoan({ customerId: 'cus_x' }), 'CUSTOMER_NOT_FOUND'],
    ['a dormant customer', aLoan({ customerId: 'cus_asleep' }), 'CUSTOMER_NOT_ACTIVE'],
    ['an unknown product', aLoan({ productId: 'prd_x' }), 'PRODUCT_NOT_FOUND'],
    [
      'the account of another party',
      aLoan({ settlementArrangementId: 'arr_grace' }),
      'ARRANGEMENT_NOT_FOUND',
    ],
    ['no settlement account', aLoan({ settlementArrangementId: null }), 'VALIDATION_FAILED'],
    [
      'another currency',
      aLoan({ limit: { amount: '1.00', currency: 'USD' } }),
      'CURRENCY_MISMATCH',
    ],
    ['no installments', aLoan({ installments: null }), 'VALIDATION_FAILED'],
    ['a zero amount', aLoan({ limit: eur('0.00') }), 'VALIDATION_FAILED'],
    ['a negative rate', aLoan({ ratePct: '-1' }), 'VALIDATION_FAILED'],
    ['an opening date in the future', aLoan({ openedOn: '2026-03-03' }), 'OPENED_AT_IN_FUTURE'],
    ['an opening date a century ago', aLoan({ openedOn: '1926-03-03' }), 'BACKDATE_NOT_ALLOWED'],
    [
      'an availability period that ends before it begins',
      aLoan({ availableFrom: '2026-05-01', availableTo: '2026-04-01' }),
      'INVALID_DATE_RANGE',
    ],
    ['a delegated user as the caller', aLoan(), 'NOT_FOR_DELEGATED_USERS'],
  ])('rejects %s', async (_why, input, code) => {
    const rows = await bank.rows('select count(*) from lending.facility')
    const options = code === 'NOT_FOR_DELEGATED_USERS' ? { caller: ada } : {}
    expect((await open(bank, input, options)).code).toBe(code)
    expect(await bank.rows('select count(*) from lending.facility')).toEqual(rows)
  })
})
