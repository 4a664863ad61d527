import { ProductStatus } from '../../../subgraphs/products/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { productStates } from '../../../subgraphs/products/model/product.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  openBank,
  aProduct,
  ada,
  bank,
  change,
  content,
  create,
  loan,
  newId,
  productActions,
  productIn,
  eventsOf,
  start,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('product version', () => {
  test('is created from the five documented members', async () => {
    const productId = newId('prd')
    const input = content(productId, { status: 'ACTIVE' })
    const { data } = await bank.execute(create, { input })
    expect(data.createProduct).toMatchObject({ ...input, status: 'ACTIVE', currencies: ['EUR'] })
    expect((await eventsOf(`product/${productId}`)).map(({ type }) => type)).toEqual([
      'products.product.created',
      'products.product.version-activated',
    ])
    expect(await bank.fact(`product/${productId}`)).toEqual({
      productId,
      versions: [
        {
          version: '2026.1',
          name: 'Everyday',
          productClass: 'current-account',
          status: 'active',
          isOpenable: true,
          currencies: ['EUR'],
          effectiveFrom: null,
          effectiveTo: null,
          maxPerCustomer: null,
          parameters: [],
          interest: null,
          fees: [],
          createdAt: start,
        },
      ],
    })
  })

  test('is created once with the same content, and rejected with other content', async () => {
    const productId = await aProduct({ ...loan, status: 'draft' })
    const same = { ...loan, status: 'Draft', currencies: ['EUR'] }
    expect((await bank.execute(create, { input: content(productId, same) })).errors).toEqual([])
    for (const other of [{ name: 'Other' }, { fees: [] }, { status: 'active' }]) {
      const input = content(productId, { ...loan, status: 'draft', ...other })
      expect((await bank.execute(create, { input })).code).toBe('PRODUCT_VERSION_EXISTS')
    }
    expect(await eventsOf(`product/${productId}`)).toHaveLength(1)
  })

  test('supersedes the active one; without an active one the newest label is returned', async () => {
    const productId = await aProduct({ version: '2026.9' })
    await bank.execute(create, { input: content(productId, { version: '2026.10' }) })
    const read =
      'query ($id: ID!, $v: Label) { product(productId: $id, version: $v) { version status } }'
    const of = async (v?: string) => (await bank.execute(read, { id: productId, v })).data.product
    expect(await of('2026.9')).toEqual({ version: '2026.9', status: 'SUPERSEDED' })
    expect(await of()).toEqual({ version: '2026.10', status: 'ACTIVE' })
    await change('retireProduct', productId, '2026.10')
    expect((await of()).version).toBe('2026.10')
    const fact = (await bank.fact(`product/${productId}`)) as any
    expect(fact.versions.map(({ version, status }: any) => [version, status])).toEqual([
      ['2026.9', 'superseded'],
      ['2026.10', 'retired'],
    ])
  })

  test('is the only active one after many were activated at once', async () => {
    const versions = ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5', '2026.6']
    const drafts = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const productId = newId('prd')
        for (const version of versions) {
          await bank.execute(create, { input: content(productId, { version, status: 'draft' }) })
        }
        return productId
      }),
    )
    for (const productId of drafts) {
      await Promise.all(versions.map((version) => change('activateProduct', productId, version)))
      const rows = await bank.rows(
        "select label from products.product_version where product_id = $1 and status = 'active'",
        [productId],
      )
      expect(rows).toHaveLength(1)
      const { versions: known } = (await bank.fact(`product/${productId}`)) as any
      const active = known.filter(({ status }: any) => status === 'active')
      expect(active).toMatchObject([{ version: rows[0]!['label'] }])
      // Each superseded the one before it, except the first.
      const facts = (await eventsOf(`product/${productId}`)).map(({ type }) =>
        type.split('.').at(-1),
      )
      const isOf = (fact: string) => facts.filter((other) => other === fact).length
      expect(isOf('version-superseded')).toBe(isOf('version-activated') - 1)
    }
  })

  test('cannot be resumed while another version is active', async () => {
    const productId = await productIn('suspended')
    await bank.execute(create, { input: content(productId, { version: '2026.2' }) })
    expect((await change('resumeProduct', productId)).code).toBe('STATE_CONFLICT')
  })

  for (const status of ProductStatus.values) {
    for (const [name, { from, to, fact }] of Object.entries(productActions)) {
      test(`${name} in state ${status}: ${from.includes(status) ? to : 'invalid transition'}`, async () => {
        const productId = await productIn(status)
        const before = await eventsOf(`product/${productId}`)
        const published = await bank.fact(`product/${productId}`)
        const answer = await change(name, productId)
        const after = await eventsOf(`product/${productId}`)
        const stored = await bank.rows(
          'select status from products.product_version where product_id = $1 and label = $2',
          [productId, '2026.1'],
        )
        if (from.includes(status)) {
          expect(productStates.table[status]).toContain(to)
          expect(stored).toEqual([{ status: to }])
          expect(after.at(-1)!.type).toBe(`products.product.${fact}`)
          expect(await bank.fact(`product/${productId}`)).not.toEqual(published)
        } else {
          expect(answer.code).toBe('INVALID_STATE_TRANSITION')
          expect(answer.errors[0]!.extensions).toMatchObject({
            resourceId: `${productId} 2026.1`,
            currentState: status,
          })
          expect(answer.errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect(stored).toEqual([{ status }])
          expect(after).toEqual(before)
          expect(await bank.fact(`product/${productId}`)).toEqual(published)
        }
      })
    }
  }

  const refused: [string, object, string, string[]][] = [
    ['an invalid initial status', { status: 'retired' }, 'INVALID_INITIAL_STATUS', ['/status']],
    ['no currencies', { currencies: [] }, 'VALIDATION_FAILED', ['/currencies']],
    [
      'a duplicate currency',
      { currencies: ['EUR', 'EUR'] },
      'VALIDATION_FAILED',
      ['/currencies/1'],
    ],
    ['a limit of zero', { maxPerCustomer: 0 }, 'VALIDATION_FAILED', ['/maxPerCustomer']],
    [
      'an end before the start',
      { effectiveFrom: '2026-02-01', effectiveTo: '2026-01-31' },
      'INVALID_DATE_RANGE',
      ['/effectiveTo'],
    ],
    [
      'fees without a price, in another currency, above 100 percent or with a duplicate code',
      {
        fees: [
          { code: 'a', frequency: 'YEARLY' },
          { code: 'b', frequency: 'YEARLY', amount: { amount: '1', currency: 'USD' } },
          { code: 'b', frequency: 'YEARLY', percent: '101' },
        ],
      },
      'VALIDATION_FAILED',
      ['/fees/2/code', '/fees/0/amount', '/fees/1/amount', '/fees/2/percent'],
    ],
    [
      'contradictory parameters',
      {
        parameters: [
          { name: 'x', type: 'INTEGER', minimum: '5', maximum: '4' },
          { name: 'x', type: 'INTEGER', maximum: '4', default: '5' },
          { name: 'y', type: 'BOOLEAN', default: 'maybe' },
          { name: 'z', type: 'TEXT', minimum: '1' },
        ],
      },
      'VALIDATION_FAILED',
      [
        '/parameters/1/name',
        '/parameters/0/minimum',
        '/parameters/1/default',
        '/parameters/2/default',
        '/parameters/3/minimum',
      ],
    ],
  ]
  test.each(refused)('rejects %s', async (_what, more, code, pointers) => {
    const answer = await bank.execute(create, { input: content(newId('prd'), more) })
    expect(answer.code).toBe(code)
    const faults = answer.errors[0]!.extensions!['errors'] as { pointer: string }[]
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('is hidden from a delegated user as a draft, and needs a scope to be created', async () => {
    const productId = await productIn('draft')
    const read = 'query ($id: ID!) { product(productId: $id) { status } }'
    expectAbsent(await bank.execute(read, { id: productId }, { caller: ada }))
    expectAbsent(await bank.execute(read, { id: 'prd_none' }))
    const list = 'query ($id: ID) { products(productId: $id) { nodes { status } } }'
    const { data } = await bank.execute(list, { id: productId }, { caller: ada })
    expect(data.products.nodes).toEqual([])
    const caller = aCaller({ scopes: ['products:read'] })
    const input = content(newId('prd'))
    expect((await bank.execute(create, { input }, { caller })).code).toBe('INSUFFICIENT_SCOPE')
  })

  test('replays the response of a repeated idempotency key', async () => {
    const input = content(newId('prd'))
    const first = await bank.execute(create, { input }, { idempotencyKey: 'k-product' })
    const again = await bank.execute(create, { input }, { idempotencyKey: 'k-product' })
    expect(again).toEqual({ ...first, isReplayed: true })
    expect(await eventsOf(`product/${input.productId}`)).toHaveLength(2)
  })

  test('is listed in pages that leave nothing out', async () => {
    const productId = await aProduct({ version: '2026.1' })
    for (const version of ['2026.2', '2026.3', '2026.9', '2026.10']) {
      await bank.execute(create, { input: content(productId, { version }) })
    }
    const list = `query ($id: ID, $after: String, $status: String) { products(productId: $id, first: 2, after: $after, status: $status) {
      nodes { version } pageInfo { hasNextPage endCursor } } }`
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const page: any = (await bank.execute(list, { id: productId, after })).data.products
      seen.push(...page.nodes.map(({ version }: any) => version))
      ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
    }
    expect(seen.toSorted()).toEqual(['2026.1', '2026.10', '2026.2', '2026.3', '2026.9'])
    const { data } = await bank.execute(list, { id: productId, status: 'Active' })
    expect(data.products.nodes).toEqual([{ version: '2026.10' }])
    expect((await bank.execute(list, { status: 'nonsense' })).code).toBe('VALIDATION_FAILED')
  })
})

test('product versions are found by a part of their name or ID', async () => {
  const productId = await aProduct({ name: 'Golden 100% card' })
  const found = async (search: string) => {
    const text = 'query ($search: Label) { products(search: $search) { nodes { productId } } }'
    const { data } = await bank.execute(text, { search })
    return data.products.nodes
  }
  expect(await found('golden')).toEqual([{ productId }])
  expect(await found('100%')).toEqual([{ productId }])
  expect(await found('1%0')).toEqual([])
  expect(await found(productId.toUpperCase())).toContainEqual({ productId })
})
