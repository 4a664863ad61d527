import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isIban } from '../../../subgraphs/_kernel/domain/iban.ts'
import { everyScope } from '../../../subgraphs/_kernel/scopes.ts'
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
  told,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('opening', () => {
  test('a customer and a product are enough', async () => {
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
    const events = await told(arrangement.arrangementId)
    expect(events).toMatchObject([{ type: 'accounts.arrangement.opened', parties: ['pty_ada'] }])
    const fact = await bank.fact(`arrangement/${arrangement.arrangementId}`)
    expect(fact).toMatchObject({ state: 'active', partyId: 'pty_ada', currency: 'EUR' })
  })

  test('the same id with the same content is the same account; other content is refused', async () => {
    const arrangementId = newId()
    const first = await opening({ arrangementId })
    bank.clock.advance(1000)
    expect((await opening({ arrangementId, state: 'Active' })).data).toEqual(first.data)
    for (const other of [{ nickname: 'x' }, { customerId: 'cus_grace' }, { state: 'pending' }]) {
      expect((await opening({ arrangementId, ...other })).code).toBe('ARRANGEMENT_ALREADY_EXISTS')
    }
    expect(await told(arrangementId)).toHaveLength(1)
    bank.clock.set(start)
  })

  test('a repeated key opens once', async () => {
    const before = await counts()
    const first = await opening({}, { idempotencyKey: 'k-open' })
    const again = await opening({}, { idempotencyKey: 'k-open' })
    expect(again).toEqual({ ...first, isReplayed: true })
    expect((await counts())!['rows']).toBe(before!['rows'] + 1)
  })

  test('eight that are sent at once under one id open one', async () => {
    const arrangementId = newId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => opening({ arrangementId })))
    expect(
      new Set(answers.map(({ data }) => data?.openAccountArrangement.accountNumber)).size,
    ).toBe(1)
    expect(await told(arrangementId)).toHaveLength(1)
  })

  const refusals: [string, object, string, string, (() => Promise<unknown>)?][] = [
    ['an unknown customer', { customerId: 'cus_none' }, 'CUSTOMER_NOT_FOUND', '/customerId'],
    ['an unknown product', { productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/productId'],
    ['an unknown version', { productVersion: 'none' }, 'PRODUCT_NOT_FOUND', '/productVersion'],
    [
      'a suspended customer',
      { customerId: 'cus_x' },
      'CUSTOMER_NOT_ACTIVE',
      '/customerId',
      () => aCustomer('cus_x', { status: 'suspended' }),
    ],
    [
      'a customer nobody checked',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycState: 'in-progress' }),
    ],
    [
      'a check that is too old',
      { customerId: 'cus_x' },
      'KYC_INCOMPLETE',
      '/customerId',
      () => aCustomer('cus_x', { kycExpiresOn: '2026-03-01' }),
    ],
    [
      'a draft',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { status: 'draft' }),
    ],
    [
      'a product before its time',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveFrom: '2026-03-03' }),
    ],
    [
      'a product after its time',
      { productId: 'prd_x' },
      'PRODUCT_NOT_ACTIVE',
      '/productId',
      () => aProduct('prd_x', { effectiveTo: '2026-03-01' }),
    ],
    [
      'a superseded version',
      { productId: 'prd_x', productVersion: 'a' },
      'PRODUCT_NOT_ACTIVE',
      '/productVersion',
      () => aProduct('prd_x', { version: 'a', status: 'superseded' }, { version: 'b' }),
    ],
    [
      'a class that is only catalogued',
      { productId: 'prd_x' },
      'PRODUCT_CLASS_NOT_OPENABLE',
      '/productId',
      () => aProduct('prd_x', { isOpenable: false }),
    ],
    ['a currency', { currency: 'JPY' }, 'CURRENCY_NOT_OFFERED', '/currency'],
    [
      'a parameter',
      { parameters: { statementDay: 29 } },
      'PARAMETER_OUT_OF_RANGE',
      '/parameters/statementDay',
    ],
    [
      'an overdraft above the bounds',
      { overdraftLimit: { amount: '1000.01', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'an overdraft below nothing',
      { overdraftLimit: { amount: '-1', currency: 'EUR' } },
      'PARAMETER_OUT_OF_RANGE',
      '/overdraftLimit/amount',
    ],
    [
      'an overdraft in another currency',
      { overdraftLimit: { amount: '1', currency: 'USD' } },
      'CURRENCY_MISMATCH',
      '/overdraftLimit/currency',
    ],
    ['a state it cannot start in', { state: 'closed' }, 'INVALID_INITIAL_STATUS', '/state'],
    ['a time to come', { openedAt: '2026-03-02T09:01:01Z' }, 'OPENED_AT_IN_FUTURE', '/openedAt'],
    [
      'a time too far back',
      { openedAt: '2026-01-31T08:59:59Z' },
      'BACKDATE_NOT_ALLOWED',
      '/openedAt',
    ],
  ]
  test.each(refusals)('%s is refused', async (_what, more, code, pointer, arrange) => {
    await arrange?.()
    const before = [await counts(), await bank.events()]
    const answer = await opening(more)
    expect(answer.code).toBe(code)
    expect(answer.errors[0]!.extensions).toMatchObject({ errors: [{ pointer, code }] })
    expect([await counts(), await bank.events()]).toEqual(before)
  })

  test('a customer and a product are good on their last day', async () => {
    await aCustomer('cus_x', { kycExpiresOn: '2026-03-02' })
    await aProduct('prd_x', { effectiveFrom: '2026-03-02', effectiveTo: '2026-03-02' })
    expect((await opening({ customerId: 'cus_x', productId: 'prd_x' })).errors).toEqual([])
  })

  test('the past needs a scope, the last minute does not', async () => {
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

  test('an account stays on the version it was opened under', async () => {
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

describe('the limit per customer', () => {
  test('of many that want the last place at once exactly one gets it', async () => {
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

  test('many without a limit all get one, and an ended one makes room', async () => {
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
