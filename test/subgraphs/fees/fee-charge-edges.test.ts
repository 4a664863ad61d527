/** When a single fee must not be charged, and what must not undo one: the books tie after every test. */
import 'reflect-metadata'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { employee } from '../../kit/subgraph.ts'
import {
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  eur,
  income,
  sequenced,
  withdraw,
  type FeeBank,
} from './fee-kit.ts'
import {
  chargeFee,
  chargesOf,
  colleague,
  expectChargesToTie,
  notaryFee,
  passDays,
  payable,
  preview,
  refund,
  returnFee,
  send,
  sendingFee,
} from './charge-kit.ts'
import { available } from './receivable-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  // The simulated rail to other banks exists only in the sandbox.
  bank.bank.environment = 'sandbox'
  await aCustomer(bank, 'ada')
})
afterAll(() => bank.drop())
afterEach(() => expectChargesToTie(bank))

const consumer = 'operations.trigger-fees'
const positions = async () => {
  const [row] = await bank.rows(
    `select (select position::text from kernel.head) as head,
       (select position::text from kernel.consumer where name = $1) as read`,
    [consumer],
  )
  return row!
}

describe('the first release with fees on events', () => {
  const directory = 'prisma/migrations/20260503000002_fees_of_new_events_only'
  const migration = readFileSync(
    new URL(`../../../${directory}/migration.sql`, import.meta.url),
    'utf8',
  )

  test('reads the log from its end, and keeps its place if it is installed again', async () => {
    expect((await positions())['read']).toBe('0')
    const arrangementId = await anAccount(bank, await aProduct(bank, sendingFee), {
      holds: '50.00',
    })
    await send(bank, arrangementId, '20.00')
    await passDays(bank, 4)
    await bank.rows(migration)
    expect((await positions())['read']).toBe('0')
    await bank.chargeEvents()
    expect(await chargesOf(bank, arrangementId)).toHaveLength(1)
    await bank.rows('delete from kernel.consumer where name = $1', [consumer])
    await bank.rows(migration)
    const { head, read } = await positions()
    expect(Number(read)).toBeGreaterThan(0)
    expect(read).toBe(head)
    await bank.chargeEvents()
    expect(await chargesOf(bank, arrangementId)).toHaveLength(1)
  })
})

test('a missed payment of a customer who has died triggers nothing', async () => {
  await aCustomer(bank, 'edith')
  const customerId = 'cus_edith'
  const fee = { ...returnFee, trigger: 'STANDING_ORDER_MISSED' }
  const from = await anAccount(bank, await aProduct(bank, fee), { customerId, holds: '90.00' })
  const to = await anAccount(bank, await aProduct(bank))
  await bank.act(
    'mutation ($input: CreateStandingOrderInput!) { createStandingOrder(input: $input) { standingOrderId } }',
    {
      input: {
        debtorArrangementId: from,
        creditorArrangementId: to,
        amount: eur('80.00'),
        frequency: 'MONTHLY',
        startsOn: bankContext(bank.bank).now().toISOString().slice(0, 10),
        retryDays: 0,
      },
    },
  )
  bank.clock.advance(1_000)
  await bank.act('mutation { recordDeath(partyId: "pty_edith", diedOn: "2026-03-01") { partyId } }')
  await passDays(bank, 1)
  await sequenced(bank)
  const missed = (await bank.events()).filter(
    ({ type }) => type === 'payments.standing-order.missed',
  )
  expect(missed).toHaveLength(1)
  await bank.chargeEvents()
  expect(await chargesOf(bank, from)).toEqual([])
  expect(await available(bank, from)).toBe('90.00')
})

test('an account that waits for its approval cannot be charged', async () => {
  const productId = await aProduct(bank, notaryFee)
  const arrangementId = await anAccount(bank, productId, { state: 'PENDING' } as object)
  const input = { arrangementId, feeCode: 'notary' }
  const code = 'FEE_NOT_CHARGEABLE'
  await expect(preview(bank, input)).rejects.toMatchObject({ code })
  await expect(chargeFee(bank, input)).rejects.toMatchObject({ code })
  await bank.act(
    `mutation { activateAccountArrangement(arrangementId: "${arrangementId}") { state } }`,
  )
  expect(await chargeFee(bank, input)).toMatchObject({ status: 'CHARGED' })
})

describe('what is owed to a third party', () => {
  test('is reversed by a refund only, not by hand', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, notaryFee), { holds: '50.00' })
    const charge = await chargeFee(bank, { arrangementId, feeCode: 'notary' })
    const code = 'POSTING_NOT_REVERSIBLE'
    const byHand = withdraw(bank, charge.postingInstruction.postingInstructionId)
    await expect(byHand).rejects.toMatchObject({ code })
    expect(await available(bank, arrangementId)).toBe('10.00')
    await refund(bank, 'propose', charge.feeChargeId)
    await refund(bank, 'approve', charge.feeChargeId, colleague)
    expect(await available(bank, arrangementId)).toBe('50.00')
    const { refundedBy } = (await chargesOf(bank, arrangementId))[0]
    const again = withdraw(bank, refundedBy.postingInstructionId)
    await expect(again).rejects.toMatchObject({ code })
  })

  test('is not owed for a fee that was waived, and later refunded', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, notaryFee))
    const [owed, earned] = [await payable(bank, 'notary'), await income(bank)]
    const { feeChargeId, receivable } = await chargeFee(bank, { arrangementId, feeCode: 'notary' })
    await bank.act(
      `mutation { waiveFeeReceivable(feeReceivableId: "${receivable.feeReceivableId}",
        reason: "Hardship") { status } }`,
      {},
      employee,
    )
    await refund(bank, 'propose', feeChargeId)
    await refund(bank, 'approve', feeChargeId, colleague)
    expect([await payable(bank, 'notary'), await income(bank)]).toEqual([owed, earned])
    expect(await available(bank, arrangementId)).toBe('0.00')
  })

  test('is owed by it if a fee is refunded that it was paid for', async () => {
    const fee = { ...notaryFee, thirdParty: 'registry' }
    const arrangementId = await anAccount(bank, await aProduct(bank, fee), { holds: '50.00' })
    const { feeChargeId } = await chargeFee(bank, { arrangementId, feeCode: 'notary' })
    const { createPostingInstruction: paid } = await bank.act(
      `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) {
        postingInstructionId status } }`,
      {
        input: {
          entries: [
            { account: 'fee-payable/EUR/registry', side: 'DEBIT', amount: eur('40.00') },
            { account: 'nostro/EUR', side: 'CREDIT', amount: eur('40.00') },
          ],
        },
      },
    )
    expect(await payable(bank, 'registry')).toBe('0')
    await refund(bank, 'propose', feeChargeId)
    await refund(bank, 'approve', feeChargeId, colleague)
    expect(await payable(bank, 'registry')).toBe('-4000')
    // The third party pays the money back, so that the books tie again.
    await withdraw(bank, paid.postingInstructionId)
  })
})

test.each(['0.00', '-1.00', '92233720368547758.08', '999999999999999999999.00'])(
  'nothing is charged on a basis of %s',
  async (amount) => {
    const fee = { code: 'share', frequency: 'ON_REQUEST', percent: '100' }
    const arrangementId = await anAccount(bank, await aProduct(bank, fee), { holds: '50.00' })
    const charged = chargeFee(bank, { arrangementId, feeCode: 'share', basis: eur(amount) })
    const code = amount.length > 5 ? 'VALIDATION_FAILED' : 'FEE_NOT_CHARGEABLE'
    await expect(charged).rejects.toMatchObject({ code })
    expect(await available(bank, arrangementId)).toBe('50.00')
  },
)
