/** Which transactions a filter finds, and who may see any. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  act,
  bank,
  current,
  eur,
  list,
  openSampleBank,
  post,
  savings,
  transfer,
} from './transactions-kit.ts'

beforeAll(async () => {
  await openSampleBank()
  const card = { type: 'OUTBOUND_AUTHORISATION', arrangementId: current, amount: eur('12.00') }
  await post({ ...card, clientTransactionId: 'card-released' })
  await post({ type: 'RELEASE', clientTransactionId: 'card-released' })
  await post({ ...card, clientTransactionId: 'card-booked', amount: eur('75.50') })
  const settled = await post({
    type: 'SETTLEMENT',
    clientTransactionId: 'card-booked',
    remittanceInformation: 'Invoice 12',
  })
  const to = new Date(bank.bank.now().getTime() + 86_400_000).toISOString()
  await bank.graph('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', { to })
  await post({ type: 'REVERSAL', reversesId: settled })
  await transfer({
    debtorArrangementId: current,
    creditorIban: 'DE89370400440532013000',
    creditorName: 'Stadtwerke',
    amount: eur('61.20'),
  })
})
afterAll(() => bank.stop())

describe('filters', () => {
  test.each<[string, object, (each: any) => boolean]>([
    ['a status', { status: ['RELEASED'] }, ({ status }) => status === 'RELEASED'],
    [
      'two statuses',
      { status: ['BOOKED', 'REVERSED'] },
      ({ status }) => /BOOKED|REVERSED/.test(status),
    ],
    [
      'a direction',
      { creditDebitIndicator: 'CREDIT' },
      (each) => each.creditDebitIndicator === 'CREDIT',
    ],
    ['a least amount', { minAmount: '61.20' }, ({ amount }) => Number(amount.amount) >= 61.2],
    ['a largest amount', { maxAmount: '12.00' }, ({ amount }) => Number(amount.amount) <= 12],
    ['a text', { text: 'INVOICE' }, ({ description }) => /invoice/i.test(description ?? '')],
    ['no pattern', { text: '%' }, () => false],
    ['a name', { text: 'stadtw' }, ({ counterparty }) => counterparty?.name === 'Stadtwerke'],
    [
      'everything together',
      { minAmount: '10', maxAmount: '100', creditDebitIndicator: 'DEBIT', status: ['BOOKED'] },
      ({ amount, status, creditDebitIndicator: side }) =>
        Number(amount.amount) >= 10 &&
        Number(amount.amount) <= 100 &&
        status === 'BOOKED' &&
        side === 'DEBIT',
    ],
  ])('%s', async (_what, filter, matches) => {
    const all = await list(current)
    const found = await list(current, filter)
    expect(found).toEqual(all.filter(matches))
    expect(found.length).toBeLessThan(all.length)
  })

  test('days, both included', async () => {
    const all = await list(current)
    const days = [...new Set(all.map(({ date }) => date as string))].toSorted()
    expect(days.length).toBeGreaterThan(1)
    for (const from of days) {
      for (const to of days.filter((day) => day >= from)) {
        const within = all.filter(({ date }) => date >= from && date <= to)
        expect(await list(current, { from, to })).toEqual(within)
      }
    }
    expect(await list(current, { to: '2000-01-01' })).toEqual([])
  })

  test.each([
    [{ from: '2026-02-01', to: '2026-01-01' }, 'INVALID_DATE_RANGE', '/filter/to'],
    [{ minAmount: '2', maxAmount: '1' }, 'VALIDATION_FAILED', '/filter/maxAmount'],
    [{ minAmount: '0.001' }, 'VALIDATION_FAILED', '/filter/minAmount'],
  ])('%j is rejected', async (filter, code, pointer) => {
    const query = `query ($filter: TransactionFilterInput) {
      transactions(arrangementId: "${current}", filter: $filter) { nodes { date } } }`
    const { body } = await bank.graph(query, { filter })
    expect(body.errors[0].extensions).toMatchObject({ code, errors: [{ pointer }] })
  })
})

describe('rights are those of entries', () => {
  const query = `query ($id: ID!) { transactions(arrangementId: $id) { nodes { date } }
    accountArrangement(arrangementId: $id) { transactions { nodes { date } } entries { nodes { entryId } } } }`

  test('another customer finds no account', async () => {
    const token = bank.token({ partyId: 'pty_grace' })
    for (const id of [current, 'arr_absent']) {
      const { data, errors } = (await bank.graph(query, { id }, { token })).body
      expect({ data, errors }).toEqual({ data: { transactions: null, accountArrangement: null } })
    }
  })

  test('the owner and the bank see them, with accounts:read alone', async () => {
    for (const partyId of ['pty_ada', undefined]) {
      const token = bank.token({ ...(partyId && { partyId }), scopes: ['accounts:read'] })
      const { body } = await bank.graph(query, { id: current }, { token })
      expect(body.errors).toBeUndefined()
      const { transactions, accountArrangement } = body.data
      expect(accountArrangement.transactions).toEqual(transactions)
      expect(transactions.nodes.length).toBeGreaterThan(5)
    }
    const token = bank.token({ partyId: 'pty_ada', scopes: ['postings:read'] })
    const { body } = await bank.graph(query, { id: current }, { token })
    expect(body.errors[0].extensions).toMatchObject({ scope: 'accounts:read' })
  })

  test('who is entitled to view an account sees them', async () => {
    const granted = await act(
      'grantEntitlement { entitlementId }',
      {
        grantorPartyId: 'pty_ada',
        granteePartyId: 'pty_grace',
        resource: `arrangement/${savings}`,
        right: 'VIEW',
      },
      { token: bank.token({ partyId: 'pty_ada' }) },
    )
    const token = bank.token({ partyId: 'pty_grace' })
    const { body } = await bank.graph(query, { id: savings }, { token })
    expect(body.data.transactions.nodes.length).toBeGreaterThan(0)
    expect(granted.entitlementId).toBeTruthy()
  })
})
