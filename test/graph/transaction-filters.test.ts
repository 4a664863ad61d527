/** Which transactions a filter returns, and who may read them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  mutate,
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
  const card = { type: 'OUTBOUND_AUTHORIZATION', arrangementId: current, amount: eur('12.00') }
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
    remittanceInformation: 'Heating, 10% off',
  })
})
afterAll(() => bank.stop())

describe('Transaction filters', () => {
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
    ['a minimum amount', { minAmount: '61.20' }, ({ amount }) => Number(amount.amount) >= 61.2],
    ['a maximum amount', { maxAmount: '12.00' }, ({ amount }) => Number(amount.amount) <= 12],
    ['a text', { text: 'INVOICE' }, ({ description }) => /invoice/i.test(description ?? '')],
    [
      'a wildcard, taken literally',
      { text: '%' },
      ({ description }) => (description ?? '').includes('%'),
    ],
    [
      'a counterparty name',
      { text: 'stadtw' },
      ({ counterparty }) => counterparty?.name === 'Stadtwerke',
    ],
    [
      'all filters combined',
      { minAmount: '10', maxAmount: '100', creditDebitIndicator: 'DEBIT', status: ['BOOKED'] },
      ({ amount, status, creditDebitIndicator: side }) =>
        Number(amount.amount) >= 10 &&
        Number(amount.amount) <= 100 &&
        status === 'BOOKED' &&
        side === 'DEBIT',
    ],
  ])('selects by %s', async (_what, filter, matches) => {
    const all = await list(current)
    const found = await list(current, filter)
    expect(found).toEqual(all.filter(matches))
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(all.length)
  })

  test('selects by from and to, both inclusive', async () => {
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
  ])('rejects %j', async (filter, code, pointer) => {
    const query = `query ($filter: TransactionFilterInput) {
      transactions(arrangementId: "${current}", filter: $filter) { nodes { date } } }`
    const { body } = await bank.graph(query, { filter })
    expect(body.errors[0].extensions).toMatchObject({ code, errors: [{ pointer }] })
  })
})

describe('Access to transactions', () => {
  const query = `query ($id: ID!) { transactions(arrangementId: $id) { nodes { date } }
    accountArrangement(arrangementId: $id) { transactions { nodes { date } } entries { nodes { entryId } } } }`

  test('returns null to another customer, as for an account that does not exist', async () => {
    const token = bank.token({ partyId: 'pty_grace' })
    for (const id of [current, 'arr_absent']) {
      const { data, errors } = (await bank.graph(query, { id }, { token })).body
      expect({ data, errors }).toEqual({ data: { transactions: null, accountArrangement: null } })
    }
  })

  test('permits the owner and staff with accounts:read, but not with postings:read alone', async () => {
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

  test('permits a party with an entitlement to view the account', async () => {
    const granted = await mutate(
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
