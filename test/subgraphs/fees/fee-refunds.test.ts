/**
 * A fee that was charged by itself is refunded once, after a second person approved it, and the books
 * tie after every test.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  eur,
  pay,
  withdraw,
  type FeeBank,
} from './fee-kit.ts'
import {
  chargeEventTypes,
  chargeFee,
  colleague,
  expectChargesToTie,
  notaryFee,
  payable,
  refund,
} from './charge-kit.ts'
import { available, owedBy, runOnAccount } from './receivable-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
})
afterAll(() => bank.drop())
afterEach(() => expectChargesToTie(bank))

describe('refund of a fee', () => {
  const charged = async (holds?: string) => {
    const productId = await aProduct(bank, notaryFee)
    const arrangementId = await anAccount(bank, productId, holds ? { holds } : {})
    return chargeFee(bank, { arrangementId, feeCode: 'notary' })
  }

  test('credits the account once, after a second person approved it', async () => {
    const { feeChargeId, arrangementId } = await charged('50.00')
    const owed = Number(await payable(bank, 'notary'))
    expect(await refund(bank, 'propose', feeChargeId)).toMatchObject({
      status: 'REFUND_PROPOSED',
      refundReason: 'Our mistake',
    })
    await expect(refund(bank, 'approve', feeChargeId)).rejects.toMatchObject({
      code: 'SEGREGATION_OF_DUTIES',
    })
    expect(await available(bank, arrangementId)).toBe('10.00')
    const refunded = await refund(bank, 'approve', feeChargeId, colleague)
    expect(refunded).toMatchObject({ status: 'REFUNDED' })
    expect(refunded.refundedBy.postingInstructionId).toEqual(expect.any(String))
    expect(await available(bank, arrangementId)).toBe('50.00')
    expect(Number(await payable(bank, 'notary')) - owed).toBe(-4_000)
    const again = refund(bank, 'approve', feeChargeId, colleague)
    await expect(again).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' })
    expect((await chargeEventTypes(bank, feeChargeId)).map(([type]) => type)).toEqual([
      'charged',
      'refund-proposed',
      'refunded',
    ])
  })

  test('gives back what was collected of a receivable, and ends the rest', async () => {
    const { feeChargeId, arrangementId } = await charged('15.00')
    await pay(bank, arrangementId, 'IN', '5.00')
    await bank.collect()
    expect(await available(bank, arrangementId)).toBe('0.00')
    await refund(bank, 'propose', feeChargeId)
    await refund(bank, 'approve', feeChargeId, colleague)
    expect(await available(bank, arrangementId)).toBe('20.00')
    expect((await owedBy(bank, arrangementId))[0]).toMatchObject({
      status: 'REVERSED',
      outstanding: eur('0.00'),
    })
  })

  test('can be rejected and proposed again', async () => {
    const { feeChargeId, arrangementId } = await charged('50.00')
    await refund(bank, 'propose', feeChargeId)
    const rejected = await refund(bank, 'reject', feeChargeId, colleague)
    expect(rejected).toMatchObject({ status: 'CHARGED' })
    expect(await available(bank, arrangementId)).toBe('10.00')
    await refund(bank, 'propose', feeChargeId)
    await refund(bank, 'approve', feeChargeId, colleague)
    expect(await available(bank, arrangementId)).toBe('50.00')
  })

  test('takes two people, because nobody can reverse the posting by hand', async () => {
    const productId = await aProduct(bank, { ...notaryFee, thirdParty: undefined })
    const arrangementId = await anAccount(bank, productId, { holds: '50.00' })
    const { feeChargeId, postingInstruction } = await chargeFee(bank, {
      arrangementId,
      feeCode: 'notary',
    })
    const byHand = withdraw(bank, postingInstruction.postingInstructionId)
    await expect(byHand).rejects.toMatchObject({ code: 'POSTING_NOT_REVERSIBLE' })
    expect(await available(bank, arrangementId)).toBe('10.00')
    await refund(bank, 'propose', feeChargeId)
    await refund(bank, 'approve', feeChargeId, colleague)
    expect(await available(bank, arrangementId)).toBe('50.00')
  })

  test('is a matter of the bank: a client reverses its own posting, whatever its metadata says', async () => {
    const arrangementId = await anAccount(bank, await aProduct(bank, notaryFee), { holds: '50.00' })
    const { createPostingInstruction: own } = await bank.act(
      `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) {
        postingInstructionId status } }`,
      {
        input: {
          arrangementId,
          direction: 'OUT',
          amount: eur('5.00'),
          internalAccountCode: 'fee-income',
          metadata: { feeChargeId: 'fch_forged' },
        },
      },
    )
    await withdraw(bank, own.postingInstructionId)
    expect(await available(bank, arrangementId)).toBe('50.00')
  })
})

describe('refund of a fee of a closed account', () => {
  const close = (arrangementId: string) =>
    runOnAccount(bank, arrangementId, 'requestAccountArrangementClosure', 'closeAccountArrangement')
  const refused = {
    code: 'ARRANGEMENT_CLOSED',
    members: {
      detail: expect.stringMatching(/40\.00 EUR .*fee-payable\/EUR\/notary to another account/),
    },
  }

  test('is rejected when it is proposed, with what to do instead', async () => {
    const { feeChargeId, arrangementId } = await chargeFee(bank, {
      arrangementId: await anAccount(bank, await aProduct(bank, notaryFee), { holds: '40.00' }),
      feeCode: 'notary',
    })
    await close(arrangementId)
    await expect(refund(bank, 'propose', feeChargeId)).rejects.toMatchObject(refused)
  })

  test('is rejected when it is approved, if the account was closed in between', async () => {
    const { feeChargeId, arrangementId } = await chargeFee(bank, {
      arrangementId: await anAccount(bank, await aProduct(bank, notaryFee), { holds: '40.00' }),
      feeCode: 'notary',
    })
    await refund(bank, 'propose', feeChargeId)
    await close(arrangementId)
    await expect(refund(bank, 'approve', feeChargeId, colleague)).rejects.toMatchObject(refused)
    expect(await refund(bank, 'reject', feeChargeId, colleague)).toMatchObject({
      status: 'CHARGED',
    })
  })
})

test('what is owed to a third party is paid out by an ordinary posting', async () => {
  const arrangementId = await anAccount(bank, await aProduct(bank, notaryFee), { holds: '50.00' })
  await chargeFee(bank, { arrangementId, feeCode: 'notary' })
  const owed = Number(await payable(bank, 'notary'))
  const payOut = (account: string) =>
    bank.act(
      `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) {
        postingInstructionId status } }`,
      {
        input: {
          entries: [
            { account, side: 'DEBIT', amount: eur('40.00') },
            { account: 'nostro/EUR', side: 'CREDIT', amount: eur('40.00') },
          ],
        },
      },
    )
  for (const account of ['fee-income/EUR/notary', 'fee-payable/USD/notary', 'fee-payable/EUR/A']) {
    await expect(payOut(account)).rejects.toMatchObject({ code: 'INTERNAL_ACCOUNT_NOT_FOUND' })
  }
  const { createPostingInstruction: paid } = await payOut('fee-payable/EUR/notary')
  expect(paid.status).toBe('ACCEPTED')
  expect(Number(await payable(bank, 'notary')) - owed).toBe(-4_000)
  // The notary returns the money, so that the books tie again.
  await withdraw(bank, paid.postingInstructionId)
})
