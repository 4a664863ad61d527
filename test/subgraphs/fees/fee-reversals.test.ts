import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  charge,
  eur,
  income,
  itemsOf,
  read,
  reverse,
  withdraw,
  type FeeBank,
} from './fee-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace', 'student')
})
afterAll(() => bank.drop())

const none = { selected: 0, charged: 0, waived: 0, skipped: 0, failed: 0 }
const eventsOf = async (type: string, subject?: string) =>
  (await bank.events()).filter(
    (event) => event.type === type && (!subject || event.subject === subject),
  )

describe('fee run reversal', () => {
  test('refunds everything once, and the fee can be charged again', async () => {
    const productId = await aProduct(bank, accountFee)
    const account = await anAccount(bank, productId, { holds: '100.00' })
    const before = await income(bank)
    const run = await charge(bank, productId)
    const reversal = await reverse(bank, run.feeRunId)
    expect(reversal).toMatchObject({
      status: 'SCHEDULED',
      reversesRunId: run.feeRunId,
      counts: none,
    })
    await expect(reverse(bank, run.feeRunId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
    await bank.work()
    expect(await read(bank, reversal.feeRunId)).toMatchObject({
      status: 'COMPLETED',
      counts: { ...none, selected: 1, charged: 1 },
      totals: [eur('-4.50')],
    })
    expect(await read(bank, run.feeRunId)).toMatchObject({
      status: 'REVERSED',
      reversedByRunId: reversal.feeRunId,
      counts: run.counts,
    })
    expect(await itemsOf(bank, run.feeRunId, 'REVERSED')).toMatchObject([
      { arrangementId: account, reversedBy: { postingInstructionId: expect.any(String) } },
    ])
    expect(await income(bank)).toBe(before)
    expect(await eventsOf('pricing.fee-run.reversed', `fee-run/${run.feeRunId}`)).toHaveLength(1)
    await expect(reverse(bank, run.feeRunId)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    })
    await expect(reverse(bank, reversal.feeRunId)).rejects.toMatchObject({
      code: 'FEE_RUN_NOT_REVERSIBLE',
    })
    expect((await charge(bank, productId)).counts).toMatchObject({ charged: 1, failed: 0 })
  })

  test('does not refund a fee that was already reversed by hand', async () => {
    const productId = await aProduct(bank, accountFee)
    await anAccount(bank, productId, { holds: '100.00' })
    const before = await income(bank)
    const { feeRunId } = await charge(bank, productId)
    const [{ postingInstruction }] = (await itemsOf(bank, feeRunId)) as [any]
    await withdraw(bank, postingInstruction.postingInstructionId)
    const reversal = await reverse(bank, feeRunId)
    await bank.work()
    expect((await read(bank, reversal.feeRunId)).counts).toEqual({
      ...none,
      selected: 1,
      skipped: 1,
    })
    expect((await read(bank, feeRunId)).status).toBe('REVERSED')
    // The rejected attempt is not the posting that reversed the charge.
    expect(await itemsOf(bank, feeRunId)).toMatchObject([{ outcome: 'REVERSED', reversedBy: null }])
    expect(await income(bank)).toBe(before)
  })

  test('leaves the run unreversed when a refund fails, so that it can be retried', async () => {
    const productId = await aProduct(bank, accountFee)
    const account = await anAccount(bank, productId, { holds: '4.50' })
    await anAccount(bank, productId, { holds: '100.00' })
    const run = await charge(bank, productId)
    for (const act of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
      await bank.act(`mutation { ${act}(arrangementId: "${account}") { state } }`)
    }
    const reversal = await reverse(bank, run.feeRunId)
    await bank.work()
    expect(await read(bank, reversal.feeRunId)).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      errors: [{ arrangementId: account, code: 'ARRANGEMENT_CLOSED' }],
      totals: [eur('-4.50')],
    })
    expect(await read(bank, run.feeRunId)).toMatchObject({
      status: 'COMPLETED',
      reversedByRunId: null,
    })
    const again = await reverse(bank, run.feeRunId)
    await bank.work()
    expect((await read(bank, again.feeRunId)).counts).toEqual({ ...none, selected: 1, failed: 1 })
  })
})
