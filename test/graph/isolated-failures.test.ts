/** A page is one document, and its parts fail independently: a missing scope, an unknown id, an invalid filter. */
import { Kind, parse, type FieldNode, type OperationDefinitionNode } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../contract/kit.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { theGraph } from '../kit/platform.ts'
import { documentFor, graphOperations } from '../rights/operations.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
  await bank.act(`mutation { openCase(input: { caseId: "case_ada", caseType: COMPLAINT, title: "Late",
    partyId: "pty_ada" }) { caseId } }`)
})
afterAll(() => bank.stop())

const page = `query Home {
  party(partyId: "pty_ada") { displayName accounts { arrangementId balances { available } } }
  account: accountArrangement(arrangementId: "arr_money") { state customer { segment } }
  loan(loanId: "loan_money") { loanId facility { state } }
  facilities(customerId: "cus_ada") { nodes { facilityId } }
  openCase: case(caseId: "case_ada") { title timeline { nodes { kind } } }
  unknown: case(caseId: "case_nobody") { title }
  agreements(partyId: "pty_ada") { nodes { agreementId } }
  notifications(partyId: "pty_ada") { nodes { notificationId } }
  products { nodes { productId } }
  problems { code }
}`

test('a missing scope and an unknown id in two of ten fields leave the other eight intact', async () => {
  const token = bank.token({ scopes: everyScope.filter((each) => each !== 'agreements:read') })
  // The first run is planned by the gateway, later ones use the compiled plan.
  for (let run = 0; run < 3; run++) {
    const { status, body } = await bank.graph(page, {}, { token })
    expect(status).toBe(200)
    const { agreements, unknown, ...delivered } = body.data
    expect([agreements, unknown]).toEqual([null, null])
    expect(Object.keys(delivered)).toHaveLength(8)
    expect(Object.entries(delivered).filter(([, value]) => value === null)).toEqual([])
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0]).toMatchObject({
      path: ['agreements'],
      extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'agreements:read' },
    })
  }
})

test('a rejected nested list is null, keeps its record, and its error has the path of the list', async () => {
  const query = `{ accountArrangement(arrangementId: "arr_money") { state
    entries(first: 0) { nodes { entryId } }
    statement(from: "2026-02-01", to: "2026-01-01") { openingBalance } } }`
  const { body } = await bank.graph(query)
  const { accountArrangement } = body.data
  expect(accountArrangement).toEqual({ state: 'ACTIVE', entries: null, statement: null })
  const paths = body.errors.map(({ path }: { path: string[] }) => path.join('.')).toSorted()
  expect(paths).toEqual(['accountArrangement.entries', 'accountArrangement.statement'])
})

test('every query for a single record returns null without an error for an unknown id', async () => {
  const { apiSchema, supergraph } = await theGraph()
  const lookups = graphOperations(apiSchema, supergraph).filter(
    ({ type, field }) =>
      type === 'query' &&
      field.args.length > 0 &&
      field.args.every(
        ({ type: argument }) => String(argument) === 'ID!' || isOptional(argument),
      ) &&
      field.args.some(({ type: argument }) => String(argument) === 'ID!') &&
      !/Connection|\[/.test(String(field.type)),
  )
  expect(lookups.length).toBeGreaterThan(30)
  for (const operation of lookups) {
    const { query, variables } = documentFor(operation, '__typename', (_name, input) =>
      String(input.type) === 'ID!' ? 'absent_1' : undefined,
    )
    const { body } = await bank.graph(query, variables)
    const { data, errors } = body
    expect({ data, errors }, operation.name).toEqual({ data: { [rootKey(query)]: null } })
  }
})

test('an unknown record named in an input is an error', async () => {
  const { body } = await bank.graph(
    '{ drawdownPreview(input: { facilityId: "fac_nobody", amount: "1.00" }) { valueDate } }',
  )
  expect(body.data).toEqual({ drawdownPreview: null })
  expect(body.errors[0].extensions.code).toBe('FACILITY_NOT_FOUND')
})

test.each([
  ['startCase(caseId: "absent") { caseId }', 'CASE_NOT_FOUND'],
  ['releaseCollateral(collateralId: "absent") { collateralId }', 'COLLATERAL_NOT_FOUND'],
  [
    'placeLegalHold(input: { documentId: "absent", reason: "x" }) { documentId }',
    'DOCUMENT_NOT_FOUND',
  ],
  ['cancelHardshipRequest(hardshipRequestId: "absent") { loanId }', 'HARDSHIP_REQUEST_NOT_FOUND'],
  ['disableOAuthClient(clientId: "absent") { clientId }', 'OAUTH_CLIENT_NOT_FOUND'],
])('a mutation with an unknown id fails with its code: %s', async (field, code) => {
  const { body } = await bank.graph(`mutation { ${field} }`)
  expect(body.errors).toMatchObject([{ extensions: { code, resourceId: 'absent' } }])
})

test('REST answers an unknown id with the documented 404', async () => {
  const body = { amount: { amount: '1.00', currency: 'EUR' } }
  const answer = await bank.rest('POST', '/facilities/fac_nobody/drawdowns', body)
  expect([answer.status, answer.body.code]).toEqual([404, 'FACILITY_NOT_FOUND'])
})

const isOptional = (type: { toString(): string }) => !String(type).endsWith('!')

function rootKey(query: string): string {
  const operation = parse(query).definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  )!
  const field = operation.selectionSet.selections[0] as FieldNode
  return (field.alias ?? field.name).value
}
