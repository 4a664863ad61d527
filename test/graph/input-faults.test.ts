import { isScalarType, isSpecifiedScalarType, parseValue, type GraphQLScalarType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scalars } from '../../kernel/graph/scalars.ts'
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

/** An `Amount` is a scalar, so GraphQL itself does not validate what is inside. */
const extra = (variables: string, of: string) =>
  `query (${variables}) { extraPaymentPreview(input: { facilityId: "fac_a", amount: ${of} }) { strategy } }`

/** The validation errors of a response as `pointer code`. */
async function faultsOf(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await bank.graph(query, variables)
  return body.errors[0].extensions.errors.map((fault: any) => `${fault.pointer} ${fault.code}`)
}

describe('JSON pointers of input errors', () => {
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
    ['not an object', transfer, { input: 'x' }, ['/input TYPE']],
    ['a missing variable', transfer, {}, ['/input REQUIRED']],
    [
      'a variable within a literal',
      'mutation ($a: Decimal!) { createTransfer(input: { debtorArrangementId: "a", amount: { amount: $a, currency: "EUR" } }) { paymentId } }',
      { a: 'x' },
      ['/a FORMAT'],
    ],
    [
      'a variable within a scalar, of a wider type',
      extra('$v: String!', '{ amount: $v, currency: "EUR" }'),
      { v: 'x' },
      ['/v FORMAT'],
    ],
    [
      'a variable within a scalar, of the wrong type',
      extra('$v: Int!', '{ amount: $v, currency: "EUR" }'),
      { v: 5 },
      ['/v TYPE'],
    ],
    [
      'a variable within a scalar, omitted',
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
      'a rule of a subgraph, in variables',
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
    [
      'the same account twice',
      posting('arr_a', 'arr_a'),
      {},
      ['/input/creditorArrangementId SAME_ACCOUNT'],
    ],
    [
      'a zero amount',
      posting('arr_a', 'arr_b', '"0.00"'),
      {},
      ['/input/amount/amount INVALID_AMOUNT'],
    ],
  ])('%s', async (_what, query, variables, expected) => {
    // The first run goes through the gateway, the second through the compiled plan.
    for (let run = 0; run < 2; run++) expect(await faultsOf(query, variables)).toEqual(expected)
  })

  test('a literal that a scalar rejects has the message of the scalar', async () => {
    const { body } = await bank.graph('{ trialBalance(currency: "EURO") { debit } }')
    const [{ message, extensions }] = body.errors
    expect(message).toBe('The value at /currency is not valid: An ISO 4217 code such as EUR.')
    expect(extensions.code).toBe('VALIDATION_FAILED')
  })

  test('an unknown enum value is reported with the allowed values', async () => {
    const query =
      'mutation ($d: PostingDirection) { createPostingInstruction(input: { direction: $d }) { status } }'
    const { body } = await bank.graph(query, { d: 'SIDEWAYS' })
    const [fault] = body.errors[0].extensions.errors
    expect(fault).toMatchObject({ pointer: '/d', code: 'NOT_ALLOWED', allowed: ['IN', 'OUT'] })
  })

  test('REST names its own parameters for the same errors', async () => {
    const { body } = await bank.rest('GET', '/agreements?pageToken=x')
    expect(body.errors).toMatchObject([{ parameter: 'pageToken', code: 'PAGE_TOKEN_INVALID' }])
    const refused = await bank.rest('POST', '/posting-instructions', { ...accounts, amount })
    expect(refused.body.errors[0].pointer).toBe('/debtorArrangementId')
  })
})

const samples = ['', 'x', '1.00', 'EUR', '2026-01-31', '2026-01-31T09:30:00Z', 5, true, [], {}]
/** What a scalar makes of a value, as a variable and as a literal. */
function outcomeOf(scalar: GraphQLScalarType, value: unknown): unknown {
  try {
    const literal = typeof value === 'string' ? scalar.parseLiteral(parseValue(`"${value}"`)) : null
    return [scalar.parseValue(value), literal]
  } catch {
    return 'rejected'
  }
}

test('custom scalars of the composed schema parse like those of the subgraphs', () => {
  const custom = Object.values(bank.schema.getTypeMap())
    .filter(isScalarType)
    .filter((type) => !isSpecifiedScalarType(type))
  expect(custom.length).toBeGreaterThan(5)
  for (const type of custom) {
    const own = scalars.find(({ name }) => name === type.name)
    expect(own, type.name).toBeDefined()
    expect(type.extensions).toEqual(own!.extensions)
    // A schema built from SDL would accept each of these for any scalar.
    const outcomes = samples.map((value) => outcomeOf(type, value))
    expect(outcomes, type.name).toEqual(samples.map((value) => outcomeOf(own!, value)))
    expect(outcomes, type.name).toContain('rejected')
  }
})

test.each([
  ['application/json', 200],
  ['application/graphql-response+json', 400],
])('an input error in %s has the status %i', async (accept, status) => {
  const answer = await bank.graph(transfer, {}, { headers: { accept } })
  expect(answer.status).toBe(status)
  expect(answer.body).not.toHaveProperty('data')
})

describe('JSON pointers of errors found by a subgraph', () => {
  test.each([
    [
      'asOf and valueDate together',
      'balances(asOf: "2026-01-01T00:00:00Z", valueDate: "2026-01-01") { committed }',
      '/valueDate',
    ],
    [
      'a period that ends before it begins',
      'statement(from: "2026-02-01", to: "2026-01-01") { openingBalance }',
      '/to',
    ],
    ['a page size of zero', 'entries(first: 0) { nodes { entryId } }', '/first'],
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
