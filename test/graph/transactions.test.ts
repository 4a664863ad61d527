/**
 * What an account holder sees: one payment is one transaction, whatever number of ledger entries it
 * took.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../kit/platform.ts'
import {
  mutate,
  bank,
  current,
  eur,
  graces,
  list,
  one,
  openSampleBank,
  page,
  post,
  savings,
  transfer,
} from './transactions-kit.ts'

beforeAll(openSampleBank)
afterAll(() => bank.stop())

describe('Transactions of a card payment', () => {
  const authorize = (clientTransactionId: string, amount = '80.00', more: object = {}) =>
    post({
      type: 'OUTBOUND_AUTHORIZATION',
      arrangementId: current,
      amount: eur(amount),
      clientTransactionId,
      remittanceInformation: 'Terminal 4711',
      counterparty: { name: 'Book shop' },
      ...more,
    })

  test('shows one transaction from authorization to settlement', async () => {
    const id = await authorize('card-one')
    const pending = {
      status: 'PENDING',
      creditDebitIndicator: 'DEBIT',
      amount: eur('80.00'),
      bookedAt: null,
      valueDate: null,
      description: 'Terminal 4711',
      counterparty: { name: 'Book shop', accountIdentification: null },
    }
    expect(await one(current, id)).toMatchObject([pending])
    await post({
      type: 'SETTLEMENT',
      clientTransactionId: 'card-one',
      amount: eur('30.00'),
      final: false,
    })
    expect(await one(current, id)).toMatchObject([pending])
    const settlement = await post({
      type: 'SETTLEMENT',
      clientTransactionId: 'card-one',
      amount: eur('45.50'),
      final: true,
      remittanceInformation: 'Invoice 12',
    })
    const [booked] = await one(current, id)
    expect(booked).toMatchObject({
      status: 'BOOKED',
      amount: eur('75.50'),
      description: 'Invoice 12',
      counterparty: { name: 'Book shop' },
    })
    expect([booked.bookedAt, booked.valueDate]).toEqual([
      expect.stringMatching(/Z$/),
      booked.bookedAt.slice(0, 10),
    ])
    expect(await one(current, settlement)).toEqual([])
  })

  test('shows RELEASED with the authorized amount when the authorization is released', async () => {
    const id = await authorize('card-two', '12.00')
    await post({ type: 'RELEASE', clientTransactionId: 'card-two' })
    expect(await one(current, id)).toMatchObject([
      { status: 'RELEASED', amount: eur('12.00'), bookedAt: null },
    ])
  })

  test('shows RELEASED with the authorized amount when the authorization expires', async () => {
    const inHours = (hours: number) =>
      new Date(bank.bank.now().getTime() + hours * 3_600_000).toISOString()
    const id = await authorize('card-expiring', '14.00', { expiresAt: inHours(1) })
    expect(await one(current, id)).toMatchObject([{ status: 'PENDING' }])
    const variables = { to: inHours(2) }
    await bank.graph('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', variables)
    await eventually(async () => (await one(current, id))[0]?.status !== 'PENDING')
    expect(await one(current, id)).toMatchObject([
      { status: 'RELEASED', amount: eur('14.00'), bookedAt: null },
    ])
  })

  test('shows REVERSED when the settlement is reversed, and references it from the reversal', async () => {
    const id = await authorize('card-three', '9.00')
    const reversesId = await post({ type: 'SETTLEMENT', clientTransactionId: 'card-three' })
    const reversal = await post({ type: 'REVERSAL', reversesId })
    expect(await one(current, id)).toMatchObject([{ status: 'REVERSED', amount: eur('9.00') }])
    expect(await one(current, reversal)).toMatchObject([
      { status: 'BOOKED', creditDebitIndicator: 'CREDIT', reversesTransactionId: id },
    ])
  })
})

describe('Transactions of a transfer', () => {
  test('shows the text and the other party to payer and payee of an internal transfer', async () => {
    const { paymentId } = await transfer({
      debtorArrangementId: current,
      creditorArrangementId: graces,
      amount: eur('20.00'),
      remittanceInformation: 'Concert tickets',
      endToEndId: 'tickets-1',
    })
    const shared = {
      paymentId,
      status: 'BOOKED',
      amount: eur('20.00'),
      description: 'Concert tickets',
      endToEndId: 'tickets-1',
    }
    const [paid] = await list(current, { text: 'concert' })
    expect(paid).toMatchObject({
      ...shared,
      creditDebitIndicator: 'DEBIT',
      counterparty: { name: 'Grace Hopper' },
    })
    const [received] = await list(graces, { text: 'concert' })
    expect(received).toMatchObject({
      ...shared,
      creditDebitIndicator: 'CREDIT',
      counterparty: { name: 'Ada Lovelace' },
    })
  })

  test('shows one transaction for an outgoing credit transfer, pending until it is sent', async () => {
    const before = (await list(current)).length
    const { paymentId } = await transfer({
      debtorArrangementId: current,
      creditorIban: 'DE89370400440532013000',
      creditorName: 'Stadtwerke',
      amount: eur('61.20'),
      remittanceInformation: 'Power in March',
    })
    const find = async () => (await list(current)).filter((each) => each.paymentId === paymentId)
    const shared = {
      amount: eur('61.20'),
      description: 'Power in March',
      counterparty: { name: 'Stadtwerke', accountIdentification: 'DE89370400440532013000' },
    }
    expect(await find()).toMatchObject([{ ...shared, status: 'PENDING' }])
    const to = new Date(bank.bank.now().getTime() + 4 * 86_400_000).toISOString()
    await bank.graph('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', { to })
    await eventually(async () => (await find())[0]?.status === 'BOOKED')
    expect(await find()).toMatchObject([{ ...shared, status: 'BOOKED' }])
    expect((await list(current)).length).toBe(before + 1)
  })

  test('shows the payer of an incoming credit transfer', async () => {
    const { body } = await bank.graph(
      `{ accountArrangement(arrangementId: "${current}") { accountNumber } }`,
    )
    await mutate('simulateIncomingPayment { paymentId }', {
      creditorIban: body.data.accountArrangement.accountNumber,
      debtorIban: 'DE89370400440532013000',
      debtorName: 'Analytical Engines Ltd',
      amount: eur('1500.00'),
      remittanceInformation: 'Salary',
    })
    const [salary] = await list(current, { text: 'engines' })
    expect(salary).toMatchObject({
      creditDebitIndicator: 'CREDIT',
      description: 'Salary',
      counterparty: {
        name: 'Analytical Engines Ltd',
        accountIdentification: 'DE89370400440532013000',
      },
    })
  })
})

test('returns the newest first, with cursors that stay valid while transactions are added and settled', async () => {
  const all = (await list(current)).map(({ transactionId }) => transactionId)
  const seen: string[] = []
  for (let after: string | null = null, more = true; more;) {
    const next = await page(current, {}, { first: 3, after })
    seen.push(...next.nodes.map((each: any) => each.transactionId))
    // New authorizations and settlements between two pages must not shift the next page.
    const clientTransactionId = `between-${seen.length}`
    await post({
      type: 'OUTBOUND_AUTHORIZATION',
      arrangementId: current,
      amount: eur('1.00'),
      clientTransactionId,
    })
    await post({ type: 'SETTLEMENT', clientTransactionId })
    ;({ hasNextPage: more, endCursor: after } = next.pageInfo)
  }
  expect(seen).toEqual(all)
})

test.each([current, savings, graces])(
  'lists booked transactions of %s that add up to its balance',
  async (id) => {
    const signed = (await list(id))
      .filter(({ status }) => status === 'BOOKED' || status === 'REVERSED')
      .map(
        ({ amount, creditDebitIndicator }) =>
          Number(amount.amount) * (creditDebitIndicator === 'CREDIT' ? 1 : -1),
      )
    const total = signed.reduce((sum, each) => sum + each, 0)
    const { body } = await bank.graph(`{ balance(arrangementId: "${id}") { committed } }`)
    expect(total.toFixed(2)).toBe(body.data.balance.committed)
  },
)
