import { expect } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { aLender, aLoan, draw, opened, publishLateProduct } from './facility-kit.ts'

/** A lender whose product `prd_late` has a fee of 15.00, default interest and five days of grace. */
export async function aLenderWithLateCharges(): Promise<RunningSubgraph> {
  const bank = await aLender('2026-04-03T09:00:00Z')
  await publishLateProduct(bank, 'prd_late', 1500, {
    defaultInterestPct: '7.3',
    lateChargeGraceDays: '5',
    lossApprovalLimit: '100000',
  })
  return bank
}

/**
 * Opens a loan of 12,000.00 that is paid out. Returns the due date of its first installment, which
 * has interest of 60.00.
 */
export async function openLateLoan(
  bank: RunningSubgraph,
  facilityId: string,
  more: object = {},
): Promise<string> {
  const input = { facilityId, productId: 'prd_late', settlementArrangementId: null, ...more }
  await opened(bank, aLoan({ ...input, disburse: false }))
  const destination = { arrangementId: 'arr_ada' }
  const { errors, data } = await draw(bank, { facilityId, amount: '12000.00', destination })
  expect(errors).toEqual([])
  return data.drawdown.nextInstallment.dueDate
}

/** Returns the figures of a facility, with its first installment as `first`. */
export async function figuresOf(bank: RunningSubgraph, facilityId: string) {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { facility(facilityId: $id) {
      state amountDue { amount } lateFeesDue { amount } defaultInterestDue { amount }
      delinquency { daysPastDue arrears { amount } } payoffQuote { lateCharges { amount } due { amount } }
      schedule { status payment paid lateFee defaultInterest lateChargesPaid paidOn } } }`,
    { id: facilityId },
  )
  expect(errors).toEqual([])
  const { schedule, ...rest } = data.facility
  return { ...rest, first: schedule[0] }
}

/** Returns the unpaid late fees and default interest of a facility. */
export async function chargesOf(bank: RunningSubgraph, facilityId: string): Promise<string[]> {
  const { lateFeesDue, defaultInterestDue } = await figuresOf(bank, facilityId)
  return [lateFeesDue.amount, defaultInterestDue.amount]
}
