/** How an owed fee ends: by a waiver, with its account, or with the reversal of its fee run. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { runFees } from '../../../subgraphs/fees/workers/run-fees.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  startRun,
  charge,
  eur,
  income,
  pay,
  read,
  reverse,
  withdraw,
  type FeeBank,
} from './fee-kit.ts'
import {
  runOnAccount,
  anAccountThatOwes,
  available,
  expectBooksToTie,
  fields,
  owedBy,
} from './receivable-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace')
})
afterAll(() => bank.drop())
afterEach(() => expectBooksToTie(bank))

const waive = (id: string, caller = employee) =>
  bank.act(
    `mutation ($id: ID!) { waiveFeeReceivable(feeReceivableId: $id, reason: "Hardship") { ${fields} } }`,
    { id },
    caller,
  )

describe('waivers and account closures', () => {
  test('a waiver forgoes the outstanding part, once, and only the bank grants it', async () => {
    const before = Number(await income(bank))
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    await pay(bank, arrangementId, 'IN', '1.00')
    await bank.collect()
    const [{ feeReceivableId: id }] = (await owedBy(bank, arrangementId)) as [any]
    const refused = waive(id, aCaller({ partyId: 'pty_ada' }))
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOR_DELEGATED_USERS' })
    const { waiveFeeReceivable } = await waive(id)
    expect(waiveFeeReceivable).toMatchObject({
      status: 'WAIVED',
      waiverReason: 'Hardship',
      collected: { amount: '1.00' },
      waived: { amount: '3.50' },
      outstanding: eur('0.00'),
    })
    expect(Number(await income(bank)) - before).toBeCloseTo(1)
    await expect(waive(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    await expect(waive('frc_none')).rejects.toMatchObject({ code: 'FEE_RECEIVABLE_NOT_FOUND' })
    await pay(bank, arrangementId, 'IN', '10.00')
    await bank.collect()
    expect(await available(bank, arrangementId)).toBe('10.00')
  })

  test('an account with an outstanding fee can be closed only after its collection or waiver', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    const [{ feeReceivableId }] = (await owedBy(bank, arrangementId)) as [any]
    await runOnAccount(bank, arrangementId, 'requestAccountArrangementClosure')
    await expect(
      runOnAccount(bank, arrangementId, 'closeAccountArrangement'),
    ).rejects.toMatchObject({
      code: 'FEES_OUTSTANDING',
      members: { errors: [{ code: 'FEE_RECEIVABLE_OPEN', resourceId: feeReceivableId }] },
    })
    await waive(feeReceivableId)
    await runOnAccount(bank, arrangementId, 'closeAccountArrangement')
  })

  test('a closure is decided again when a fee became owed before its commit', async () => {
    const productId = await aProduct(bank, accountFee)
    const account = await anAccount(bank, productId)
    await runOnAccount(bank, account, 'requestAccountArrangementClosure')
    await startRun(bank, productId)
    const other = bank.another().bank
    other.queryGraph = bank.bank.queryGraph
    // The closure has read everything and is about to commit when another process charges the fee.
    const { commits } = bank.bank
    const { commit } = commits
    commits.commit = async (statement) => {
      commits.commit = commit
      while ((await runFees.run(bankContext(other))) > 0);
      return commit.call(commits, statement)
    }
    await expect(runOnAccount(bank, account, 'closeAccountArrangement')).rejects.toMatchObject({
      code: 'FEES_OUTSTANDING',
    })
    expect(await owedBy(bank, account)).toMatchObject([{ status: 'OPEN' }])
  })
})

describe('reversals and the control account', () => {
  test('reversing the fee run refunds what was collected and ends the outstanding rest', async () => {
    const before = Number(await income(bank))
    const { arrangementId, runs, productId } = await anAccountThatOwes(bank, undefined, '4.50')
    await pay(bank, arrangementId, 'IN', '3.00')
    await bank.collect()
    const reversal = await reverse(bank, runs[0].feeRunId)
    await bank.work()
    expect(await read(bank, reversal.feeRunId)).toMatchObject({
      status: 'COMPLETED',
      totals: [eur('-4.50')],
    })
    expect(await available(bank, arrangementId)).toBe('3.00')
    expect(await owedBy(bank, arrangementId)).toMatchObject([
      { status: 'REVERSED', outstanding: eur('0.00') },
    ])
    expect(Number(await income(bank))).toBeCloseTo(before)
    // The fee can be charged again, and is then owed again.
    expect((await charge(bank, productId, { feeCode: 'fee-0' })).counts).toMatchObject({
      charged: 1,
    })
    expect((await owedBy(bank, arrangementId)).map(({ status }) => status)).toEqual([
      'REVERSED',
      'OPEN',
    ])
  })

  test('postings to the control account and manual reversals of part of a fee are rejected', async () => {
    const { arrangementId } = await anAccountThatOwes(bank, undefined, '4.50')
    await pay(bank, arrangementId, 'IN', '3.00')
    await bank.collect()
    const [{ movements }] = (await owedBy(bank, arrangementId)) as [any]
    const refused = withdraw(bank, movements[0].postingInstructionId)
    await expect(refused).rejects.toMatchObject({ code: 'POSTING_NOT_REVERSIBLE' })
    const post = (input: string) =>
      bank.act(`mutation { createPostingInstruction(input: ${input}) { status } }`)
    const amount = '{ amount: "1.00", currency: "EUR" }'
    const code = 'CONTROL_ACCOUNT_NOT_POSTABLE'
    await expect(
      post(`{ arrangementId: "${arrangementId}", direction: IN, amount: ${amount},
        internalAccountCode: "fee-receivable" }`),
    ).rejects.toMatchObject({ code })
    await expect(
      post(`{ entries: [{ account: "fee-receivable/EUR", side: DEBIT, amount: ${amount} },
        { account: "fee-income/EUR", side: CREDIT, amount: ${amount} }] }`),
    ).rejects.toMatchObject({ code })
  })
})
