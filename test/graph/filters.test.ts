/** An invalid filter value is an error, because an empty list would look like a valid result. */
import { getNamedType, isObjectType, type GraphQLArgument } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../contract/kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())

/** Filters with a closed list of values, with a valid value and a document that uses them. */
const closed: readonly [name: string, good: string, document: (argument: string) => string][] = [
  [
    'Query.accountArrangements(state)',
    'ACTIVE',
    (is) => `accountArrangements(state: ${is}) { nodes { state } }`,
  ],
  [
    'Query.agreements(status)',
    'PENDING_SIGNATURE',
    (is) => `agreements(status: ${is}) { nodes { status } }`,
  ],
  [
    'Query.productOffers(status)',
    'expired',
    (is) => `productOffers(status: ${is}) { nodes { status } }`,
  ],
  ['Query.products(status)', 'Draft', (is) => `products(status: ${is}) { nodes { status } }`],
  [
    'Query.feeRuns(status)',
    'completed-with-errors',
    (is) => `feeRuns(status: ${is}) { nodes { status } }`,
  ],
  [
    'Party.agreements(status)',
    'draft',
    (is) => `party(partyId: "pty_ada") { agreements(status: ${is}) { nodes { status } } }`,
  ],
]
/** Filters that name a record as `<entity>/<id>`, a code of the ledger, or a bucket. */
const subjects: readonly [name: string, good: string, document: (argument: string) => string][] = [
  [
    'Query.mappingRules(ledgerCode)',
    'fee-income',
    (is) => `mappingRules(ledgerCode: ${is}) { nodes { state } }`,
  ],
  [
    'Query.facilities(delinquencyBucket)',
    '30-59',
    (is) => `facilities(delinquencyBucket: ${is}) { nodes { state } }`,
  ],
  ['Query.cases(subject)', 'loan/loan_1', (is) => `cases(subject: ${is}) { nodes { caseId } }`],
  [
    'Query.businessEvents(subject)',
    'party/pty_ada',
    (is) => `businessEvents(subject: ${is}) { nodes { type } }`,
  ],
  [
    'Query.businessEvents(types)',
    'parties.*',
    (is) => `businessEvents(types: [${is}]) { nodes { type } }`,
  ],
  [
    'Query.auditTrail(subject)',
    'party/pty_ada',
    (is) => `auditTrail(subject: ${is}) { nodes { type } }`,
  ],
  [
    'Query.entitlements(resource)',
    'arrangement/arr_1',
    (is) => `entitlements(resource: ${is}) { nodes { status } }`,
  ],
]

describe.each([...closed, ...subjects])('filter %s', (name, good, document) => {
  const argument = /\((\w+)\)/.exec(name)![1]!

  test('accepts a valid value', async () => {
    const { body } = await bank.graph(`{ ${document(JSON.stringify(good))} }`)
    expect(body.errors).toBeUndefined()
  })

  test('rejects an invalid value with a pointer to it', async () => {
    const literal = await bank.graph(`{ ${document('"ACTVE"')} }`)
    const [fault] = literal.body.errors[0].extensions.errors
    expect(fault.pointer.split('/')[1]).toBe(argument)
    const variable = await bank.graph(`query ($chosen: String!) { ${document('$chosen')} }`, {
      chosen: '',
    })
    expect(variable.body.errors[0].extensions.errors[0].pointer).toMatch(/^\/chosen/)
  })
})

test.each(closed)(
  '%s lists the allowed values in the error and accepts each of them',
  async (_name, good, document) => {
    const { body } = await bank.graph(`{ ${document('"ACTVE"')} }`)
    const [{ extensions }] = body.errors
    expect(extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ code: 'NOT_ALLOWED' }],
    })
    const { allowed } = extensions.errors[0]
    expect(allowed).toContain(good.toUpperCase().replaceAll('-', '_'))
    for (const each of allowed) {
      const answer = await bank.graph(`{ ${document(JSON.stringify(each))} }`)
      expect(answer.body.errors, each).toBeUndefined()
    }
  },
)

test.each([
  '/accounts?state=',
  '/product-offers?status=',
  '/agreements?status=',
  '/fee-runs?status=',
])(
  'REST rejects an unknown value, naming the parameter and the values in REST spelling: %s',
  async (path) => {
    const { status, body } = await bank.rest('GET', `${path}ACTVE`)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const [{ parameter, allowed }] = body.errors
    expect(path).toContain(`?${parameter}=`)
    expect(allowed.length).toBeGreaterThan(3)
    for (const each of allowed) {
      expect(each).toBe(each.toLowerCase())
      expect((await bank.rest('GET', `${path}${each}`)).status).toBe(200)
    }
  },
)

/** Filters without a list of values: cursors, and names and codes that the bank does not define. */
const free =
  /^(after|accountNumber|assistantType|streamId|collateralType|templateCode|feeCode|operation|key|search|accountId|clientTransactionId|channel|version|productClass|person|clientId|segment)$/

test('every string filter of the schema is tested here or takes a free value', () => {
  const tried = new Set([...closed, ...subjects].map(([name]) => name))
  const texts = Object.values(bank.schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !/^(__|Mutation$|Subscription$)/.test(name))
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, args }) =>
        args.filter(isFilter).map((argument) => `${type.name}.${name}(${argument.name})`),
      ),
    )
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((name) => !tried.has(name))).toEqual(['Query.explainEntitlement(resource)'])
})

function isFilter({ name, type }: GraphQLArgument): boolean {
  return /^(String|Label|Text)$/.test(getNamedType(type).name) && !free.test(name)
}
