import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isIban } from '../../../kernel/domain/iban.ts'
import { everyScope } from '../../../kernel/domain/scopes.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  openBank,
  aCustomer,
  aProduct,
  bank,
  content,
  counts,
  newId,
  opening,
  start,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Opening an account', () => {
  test('requires only a customer and a product', async () => {
    const { data, errors } = await opening()
    expect(errors).toEqual([])
    const arrangement = data.openAccountArrangement
    expect(arrangement).toMatchObject({
      ...content(),
      partyId: 'pty_ada',
      productVersion: '2026.1',
      state: 'ACTIVE',
      openedAt: start,
      currency: 'EUR',
      nickname: null,
      overdraftLimit: { amount: '0.00', currency: 'EUR' },
      parameters: { statementDay: '1' },
      product: { productId: 'prd_current', version: '2026.1' },
      customer: { customerId: 'cus_ada' },
    })
    expect(arrangement.arrangementId).toMatch(/^arr_/)
    expect(isIban(arrangement.accountNumber)).toBe(true)
    const events = await eventsOf(arrangement.arrangementId)
    expect(events).toMatchObject([{ type: 'accounts.arrangement.opened', parties: ['pty_ada'] }])
    const fact = await bank.fact(`arrangement/${arrangement.arrangementId}`)
    expect(fact).toMatchObject({ state: 'active', partyId: 'pty_ada', currency: 'EUR' })
  })

  test('is idempotent by id with the same content and rejects other content', async () => {
    const arrangementId = newId()
    const first = await opening({ arrangementId })
    bank.clock.advance(1000)
    expect((await opening({ arrangementId, state: 'Active' })).data).toEqual(first.data)
    for (const other of [{ nickname: 'x' }, { customerId: 'cus_grace' }, { state: 'pending' }]) {
      expect((await opening({ arrangementId, ...other })).code).toBe('ARRANGEMENT_ALREADY_EXISTS')
    }
    expect(await eventsOf(arrangementId)).toHaveLength(1)
    bank.clock.set(start)
  })

  test('is idempotent by idempotency key', async () => {
    const before = await counts()
    const first = await opening({}, { idempotencyKey: 'k-open' })
    const again = await opening({}, { idempotencyKey: 'k-open' })
    expect(again).toEqual({ ...first, isReplayed: true })
    expect((await counts())!['rows']).toBe(before!['rows'] + 1)
  })

  test('opens one account for eight concurrent requests with one id', async () => {
    const arrangementId = newId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => opening({ arrangementId })))
    expect(
      new Set(answers.map(({ data }) => data?.openAccountArrangement.accountNumber)).size,
    ).toBe(1)
    expect(await eventsOf(arrangementId)).toHaveLength(1)
  })

  const refusals: [string, object, string, string, (() => Promise<unknown>)?][] = [
    ['an unknown customer', { customerId: 'cus_none' }, 'CUSTOMER_NOT_FOUND', '/customerId'],
    ['an unknown product', { productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/productId'],
    [
      'an unknown product version',
      { productVersion: 'none' },
      'PRODUCT_NOT_FOUND',
      '/productVersion',
    ],
    [
      'a suspended customer',
      { customerId: 'cus_x' },
      'CUSTOMER_NOT_ACTIVE',
      '/customerId',
      () => aCustomer('cus_x', { status: 'suspended' }),
    ],
    [
      'a customer without a passed KYC',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycState: 'in-progress' }),
    ],
    [
      'an expired KYC',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycExpiresOn: '2026-03-01' }),
    ],
    [
      'a draft product',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { status: 'draft' }),
    ],
    [
      'a product that is not effective yet',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveFrom: '2026-03-03' }),
    ],
    [
      'a product that is no longer effective',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveTo: '2026-03-01' }),
    ],
    [
      'a superseded product version',
      { productId: 'prd_x', productVersion: 'a' },
      'PRODUCT_NOT_ACTIVE',
      '/productVersion',
      () => aProduct('prd_x', { version: 'a', status: 'superseded' }, { version: 'b' }),
    ],
    [
      'a product class that cannot be opened',
      { productId: 'prd_x' },
      'PRODUCT_CLASS_NOT_OPENABLE',
      '/productId',
      () => aProduct('prd_x', { isOpenable: false }),
    ],
    [
      'a currency that the product does not offer',
      { currency: 'JPY' },
      'CURRENCY_NOT_OFFERED',
      '/currency',
    ],
    [
      'a parameter out of range',
      { parameters: { statementDay: 29 } },
      'PARAMETER_OUT_OF_RANGE',
      '/parameters/statementDay',
    ],
    [
      'an overdraft limit above the maximum',
      { overdraftLimit: { amount: '1000.01', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'a negative overdraft limit',
      { overdraftLimit: { amount: '-1', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'an overdraft limit in another currency',
      { overdraftLimit: { amount: '1', currency: 'USD' } },
      'CURRENCY_MISMATCH',
      '/overdraftLimit/currency',
    ],
    ['an invalid initial state', { state: 'closed' }, 'INVALID_INITIAL_STATUS', '/state'],
    [
      'an opening time in the future',
      { openedAt: '2026-03-02T09:01:01Z' },
      'OPENED_AT_IN_FUTURE',
      '/openedAt',
    ],
    [
      'an opening time too far in the past',
      { openedAt: '2026-01-31T08:59:59Z' },
      'BACKDATE_NOT_ALLOWED',
      '/openedAt',
    ],
  ]
  test.each(refusals)('rejects %s', async (_what, more, code, pointer, arrange) => {
    await arrange?.()
    const before = [await counts(), await bank.events()]
    const answer = await opening(more)
    expect(answer.code).toBe(code)
    expect(answer.errors[0]!.extensions).toMatchObject({ errors: [{ pointer, code }] })
    expect([await counts(), await bank.events()]).toEqual(before)
  })

  test('permits the last day of the KYC and of the product', async () => {
    await aCustomer('cus_x', { kycExpiresOn: '2026-03-02' })
    await aProduct('prd_x', { effectiveFrom: '2026-03-02', effectiveTo: '2026-03-02' })
    expect((await opening({ customerId: 'cus_x', productId: 'prd_x' })).errors).toEqual([])
  })

  test('requires a scope for opening in the past, except within the last minute', async () => {
    const caller = aCaller({ scopes: everyScope.filter((scope) => scope !== 'accounts:backdate') })
    const yesterday = '2026-03-01T09:00:00.000Z'
    expect((await opening({ openedAt: yesterday }, { caller })).code).toBe('BACKDATE_NOT_ALLOWED')
    const allowed = await opening({ openedAt: yesterday })
    expect(allowed.data.openAccountArrangement.openedAt).toBe(yesterday)
    const openedAt = '2026-03-02T08:59:30.000Z'
    expect((await opening({ openedAt }, { caller })).data.openAccountArrangement.openedAt).toBe(
      openedAt,
    )
  })

  test('keeps the product version under which the account was opened', async () => {
    await aProduct('prd_v', { version: '2026.9' })
    const { data } = await opening({ productId: 'prd_v' })
    await aProduct('prd_v', { version: '2026.9', status: 'superseded' }, { version: '2026.10' })
    const read = 'query ($id: ID!) { accountArrangement(arrangementId: $id) { productVersion } }'
    const id = data.openAccountArrangement.arrangementId
    expect((await bank.execute(read, { id })).data.accountArrangement.productVersion).toBe('2026.9')
    const next = await opening({ productId: 'prd_v' })
    expect(next.data.openAccountArrangement.productVersion).toBe('2026.10')
  })
})

describe('Limit of accounts per customer', () => {
  test('permits exactly one of many concurrent requests for the last place', async () => {
    await aProduct('prd_few', { maxPerCustomer: 3 })
    const few = { productId: 'prd_few' }
    await opening(few)
    await opening(few)
    const answers = await Promise.all(Array.from({ length: 12 }, () => opening(few)))
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    const codes = new Set(answers.map(({ code }) => code))
    expect(codes).toEqual(new Set([undefined, 'ARRANGEMENT_LIMIT_REACHED']))
    expect(
      await bank.rows(
        "select count(*)::int as n from accounts.arrangement where product_id = 'prd_few'",
      ),
    ).toEqual([{ n: 3 }])
    expect((await opening({ ...few, customerId: 'cus_grace' })).errors).toEqual([])
  })

  test('is unlimited by default, and does not count rejected and canceled accounts', async () => {
    await aProduct('prd_many', {})
    const many = await Promise.all(
      Array.from({ length: 20 }, () => opening({ productId: 'prd_many' })),
    )
    expect(many.flatMap(({ errors }) => errors)).toEqual([])
    await aProduct('prd_one', { maxPerCustomer: 1 })
    for (const end of ['rejectAccountArrangement', 'cancelAccountArrangement']) {
      const { data } = await opening({ productId: 'prd_one', state: 'pending' })
      expect((await opening({ productId: 'prd_one' })).code).toBe('ARRANGEMENT_LIMIT_REACHED')
      await bank.execute(`mutation ($id: ID!) { ${end}(arrangementId: $id) { state } }`, {
        id: data.openAccountArrangement.arrangementId,
      })
    }
    expect((await opening({ productId: 'prd_one' })).errors).toEqual([])
  })
})
