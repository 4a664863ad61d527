import { isScalarType, isSpecifiedScalarType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const transfer =
  'mutation ($input: CreateTransferInput!) { createTransfer(input: $input) { paymentId } }'
const accounts = { debtorArrangementId: 'arr_a', creditorArrangementId: 'arr_b' }
const amount = { amount: '1.00', currency: 'EUR' }
const accountList = (first: string) =>
  `{ accountArrangements(first: ${first}) { nodes { arrangementId } } }`
const posting = (debtor: string, creditor: string, of = '"1.00"') =>
  `mutation { createPostingInstruction(input: { debtorArrangementId: "${debtor}", creditorArrangementId: "${creditor}",
    amount: { amount: ${of}, currency: "EUR" } }) { postingInstructionId } }`

/** An `Amount` is a scalar: what is inside of it GraphQL knows nothing of. */
const extra = (variables: string, of: string) =>
  `query (${variables}) { extraPaymentPreview(input: { facilityId: "fac_a", amount: ${of} }) { strategy } }`

/** The faults of an answer, as `pointer code`. */
async function faultsOf(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await bank.graph(query, variables)
  return body.errors[0].extensions.errors.map((fault: any) => `${fault.pointer} ${fault.code}`)
}

describe('every input error has a JSON pointer to its place', () => {
  test.each<[string, string, Record<string, unknown>, string[]]>([
    [
      'a scalar in variables',
      transfer,
      { input: { ...accounts, amount: { ...amount, amount: 'x' } } },
      ['/input/amount/amount FORMAT'],
    ],
    [
      'missing members',
      transfer,
      { input: { amount: { currency: 'EUR' } } },
      ['/input/debtorArrangementId REQUIRED', '/input/amount/amount REQUIRED'],
    ],
    [
      'an unknown member',
      transfer,
      { input: { ...accounts, amount, zork: 1 } },
      ['/input/zork UNKNOWN_PROPERTY'],
    ],
    ['no object', transfer, { input: 'x' }, ['/input TYPE']],
    ['a missing variable', transfer, {}, ['/input REQUIRED']],
    [
      'a variable within a literal',
      'mutation ($a: Decimal!) { createTransfer(input: { debtorArrangementId: "a", amount: { amount: $a, currency: "EUR" } }) { paymentId } }',
      { a: 'x' },
      ['/a FORMAT'],
    ],
    [
      'a variable within a scalar, of a type that says less',
      extra('$v: String!', '{ amount: $v, currency: "EUR" }'),
      { v: 'x' },
      ['/v FORMAT'],
    ],
    [
      'a variable within a scalar, of another type',
      extra('$v: Int!', '{ amount: $v, currency: "EUR" }'),
      { v: 5 },
      ['/v TYPE'],
    ],
    [
      'a variable within a scalar, left out',
      extra('$v: String', '{ amount: $v, currency: "EUR" }'),
      {},
      ['/v TYPE'],
    ],
    [
      'a variable within a scalar, with a default',
      extra('$v: String! = "EURO"', '{ amount: "1.00", currency: $v }'),
      {},
      ['/v FORMAT'],
    ],
    [
      'two variables within a scalar',
      extra('$v: String!, $w: String!', '{ amount: $v, currency: $w }'),
      { v: '1.00', w: 'EURO' },
      ['/input/amount FORMAT'],
    ],
    [
      'a scalar in a literal',
      'mutation { createTransfer(input: { debtorArrangementId: "a", amount: { amount: "x", currency: "EUR" } }) { paymentId } }',
      {},
      ['/input/amount/amount FORMAT'],
    ],
    ['an argument', '{ trialBalance(currency: "EURO") { debit } }', {}, ['/currency FORMAT']],
    [
      'a rule of a subgraph, variables',
      transfer,
      { input: { ...accounts, amount } },
      ['/input/debtorArrangementId ARRANGEMENT_NOT_FOUND'],
    ],
    ['a page size in a literal', accountList('0'), {}, ['/first PAGE_SIZE_INVALID']],
    [
      'a page size in a variable',
      'query ($size: Int) { accountArrangements(first: $size) { nodes { arrangementId } } }',
      { size: 0 },
      ['/size PAGE_SIZE_INVALID'],
    ],
    [
      'a page token',
      '{ accountArrangements(after: "x") { nodes { arrangementId } } }',
      {},
      ['/after PAGE_TOKEN_INVALID'],
    ],
    [
      'unknown accounts',
      posting('arr_a', 'arr_b'),
      {},
      [
        '/input/debtorArrangementId ARRANGEMENT_NOT_FOUND',
        '/input/creditorArrangementId ARRANGEMENT_NOT_FOUND',
      ],
    ],
    ['one account', posting('arr_a', 'arr_a'), {}, ['/input/creditorArrangementId SAME_ACCOUNT']],
    ['no amount', posting('arr_a', 'arr_b', '"0.00"'), {}, ['/input/amount/amount INVALID_AMOUNT']],
  ])('%s', async (_what, query, variables, expected) => {
    // The first run goes through the gateway, the second through the compiled plan.
    for (let run = 0; run < 2; run++) expect(await faultsOf(query, variables)).toEqual(expected)
  })

  test('a literal that a scalar rejects keeps the reason of the scalar', async () => {
    const { body } = await bank.graph('{ trialBalance(currency: "EURO") { debit } }')
    const [{ message, extensions }] = body.errors
    expect(message).toBe('The value at /currency is not valid: An ISO 4217 code such as EUR.')
    expect(extensions.code).toBe('VALIDATION_FAILED')
  })

  test('an unknown value of an enum is answered with those that are allowed', async () => {
    const query =
      'mutation ($d: PostingDirection) { createPostingInstruction(input: { direction: $d }) { status } }'
    const { body } = await bank.graph(query, { d: 'SIDEWAYS' })
    const [fault] = body.errors[0].extensions.errors
    expect(fault).toMatchObject({ pointer: '/d', code: 'NOT_ALLOWED', allowed: ['IN', 'OUT'] })
  })

  test('REST names its own parameters for the same faults', async () => {
    const { body } = await bank.rest('GET', '/agreements?pageToken=x')
    expect(body.errors).toMatchObject([{ parameter: 'pageToken', code: 'PAGE_TOKEN_INVALID' }])
    const refused = await bank.rest('POST', '/posting-instructions', { ...accounts, amount })
    expect(refused.body.errors[0].pointer).toBe('/debtorArrangementId')
  })
})

test('every custom scalar of the composed schema parses as its subgraph does', () => {
  const custom = Object.values(bank.schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  )
  expect(custom.length).toBeGreaterThan(5)
  for (const type of custom) expect(type.extensions, type.name).toHaveProperty('wire')
})

test.each([
  ['application/json', 200],
  ['application/graphql-response+json', 400],
])('as %s an input error has status %i', async (accept, status) => {
  const answer = await bank.graph(transfer, {}, { headers: { accept } })
  expect(answer.status).toBe(status)
  expect(answer.body).not.toHaveProperty('data')
})

describe('what a subgraph rejects has its place too', () => {
  test.each([
    [
      'two instants of a balance',
      'balances(asOf: "2026-01-01T00:00:00Z", valueDate: "2026-01-01") { committed }',
      '/valueDate',
    ],
    [
      'a period that ends before it begins',
      'statement(from: "2026-02-01", to: "2026-01-01") { openingBalance }',
      '/to',
    ],
    ['a page of none', 'entries(first: 0) { nodes { entryId } }', '/first'],
  ])('%s', async (_what, field, pointer) => {
    const seed = [
      'createParty(input: { partyId: "pty_a", kind: PERSON, givenName: "A", familyName: "B" }) { partyId }',
      'createCustomer(input: { customerId: "cus_a", partyId: "pty_a" }) { customerId }',
      'startKyc(customerId: "cus_a") { customerId }',
      'passKyc(customerId: "cus_a", expiresOn: "2999-12-31") { customerId }',
      'activateCustomer(customerId: "cus_a") { customerId }',
      'createProduct(input: { productId: "prd_a", name: "A", productClass: "current-account", status: "active", version: "2026.1" }) { productId }',
      'openAccountArrangement(input: { arrangementId: "arr_own", customerId: "cus_a", productId: "prd_a" }) { state }',
    ]
    for (const mutation of seed) await bank.graph(`mutation { ${mutation} }`)
    const query = `{ accountArrangement(arrangementId: "arr_own") { ${field} } }`
    expect(await faultsOf(query)).toEqual([expect.stringMatching(`^${pointer} `)])
  })

  test.each(['-1', '0', '201'])('a page of %s events', async (first) => {
    expect(await faultsOf(`{ businessEvents(first: ${first}) { nodes { type } } }`)).toEqual([
      '/first PAGE_SIZE_INVALID',
    ])
  })
})
