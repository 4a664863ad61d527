/** The currency of a posting whose amount is a bare decimal string. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestAnswer } from '../kit/platform.ts'
import { aSampleBank, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())

const posting = (body: object) =>
  bank.rest('POST', '/posting-instructions', body, { key: unique('k') })
const faultsAt = ({ body }: RestAnswer, pointer: string): string[] =>
  (body.errors ?? [])
    .filter((fault: { pointer?: string }) => fault.pointer === pointer)
    .map(({ detail }: { detail: string }) => detail)

describe('currency of a decimal string in a posting', () => {
  beforeAll(async () => {
    await bank.act(`mutation { createProduct(input: { productId: "prd_yen", name: "Yen",
      productClass: "current-account", status: "active", version: "2026.1", currencies: ["JPY"] }) { productId } }`)
    await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "arr_yen",
      customerId: "cus_ada", productId: "prd_yen", currency: "JPY" }) { arrangementId } }`)
  })

  test('is that of the account', async () => {
    const { body } = await posting({ arrangementId: 'arr_yen', direction: 'in', amount: '250' })
    expect(body.amount).toEqual({ amount: '250', currency: 'JPY' })
    const cents = await posting({ arrangementId: 'arr_yen', direction: 'in', amount: '2.50' })
    expect(faultsAt(cents, '/amount')).toEqual(['JPY has 0 decimals; the amount has 2.'])
  })

  test('is that of each account in a custom posting, taken from the name of internal accounts', async () => {
    const { status, body } = await posting({
      entries: [
        { account: 'settlement/JPY', side: 'debit', amount: '40' },
        { account: 'arr_yen', side: 'credit', amount: '40' },
      ],
    })
    expect(status).toBe(200)
    expect(body.entries).toMatchObject([
      { account: 'settlement/JPY', amount: '40', currency: 'JPY' },
      { account: 'arr_yen', amount: '40', currency: 'JPY' },
    ])
  })

  test('is that of the authorization that the posting continues, also within a batch', async () => {
    const chain = unique('chain')
    const authorization = {
      type: 'inbound-authorisation',
      arrangementId: 'arr_yen',
      clientTransactionId: chain,
      amount: '100',
    }
    const settlement = { type: 'settlement', clientTransactionId: chain, amount: '60' }
    const batch = await posting({ instructions: [authorization, settlement] })
    expect(batch.status, batch.text).toBe(200)
    const rest = await posting({ ...settlement, amount: '40', final: true })
    expect(rest.body.amount).toEqual({ amount: '40', currency: 'JPY' })
    const none = await posting({ ...settlement, clientTransactionId: 'chain_none' })
    expect([none.status, none.body.code]).toEqual([422, 'AUTHORISATION_NOT_FOUND'])
    expect(none.body.errors).toMatchObject([{ pointer: '/clientTransactionId' }])
  })

  test('cannot be determined for an unknown account, which is reported as not found', async () => {
    const { status, body } = await posting({
      arrangementId: 'arr_none',
      direction: 'in',
      amount: '1.00',
    })
    expect([status, body.code]).toEqual([422, 'ARRANGEMENT_NOT_FOUND'])
    expect(body.errors).toMatchObject([{ pointer: '/arrangementId' }])
  })

  test('is not revealed to a customer for an account they cannot access', async () => {
    const token = bank.token({ partyId: 'pty_other', scopes: ['postings:write'] })
    const own = { creditorArrangementId: 'arr_money' }
    for (const amount of ['1.5', '1.555555']) {
      const { body } = await bank.rest(
        'POST',
        '/posting-instructions',
        { debtorArrangementId: 'arr_yen', ...own, amount },
        { token },
      )
      expect(body.code).toBe('ARRANGEMENT_NOT_FOUND')
      expect(body.detail).not.toContain('JPY')
    }
  })

  test('a violated rule points to the amount as it was sent', async () => {
    const pay = { arrangementId: 'arr_yen', direction: 'out' }
    const alone = await posting({ ...pay, amount: '99999999' })
    expect(alone.body.code).toBe('INSUFFICIENT_FUNDS')
    expect(alone.body.errors).toMatchObject([{ pointer: '/amount' }])
    const inObject = await posting({ ...pay, amount: { amount: '99999999', currency: 'JPY' } })
    expect(inObject.body.errors).toMatchObject([{ pointer: '/amount/amount' }])
  })
})
