/**
 * The documented operations exist, accept what is documented and return exactly that. The served
 * contract is the specification with its gaps filled in, never less.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes.ts'
import type { RestAnswer } from '../kit/platform.ts'
import { aSampleBank, goodBody, freshPath, productWithFee, unique, type SampleBank } from './kit.ts'
import { dereference, strict } from './dereference.ts'
import { documented, shown, type DocumentedOperation, type Member } from './specification.ts'

const environments = ['live', 'sandbox'] as const
const banks = {} as Record<(typeof environments)[number], SampleBank>

beforeAll(async () => {
  for (const name of environments) banks[name] = await aSampleBank(name)
  for (const bank of Object.values(banks)) await makeSomething(bank)
})
afterAll(async () => {
  for (const bank of Object.values(banks)) await bank.stop()
})

/** Creates one record of each kind that is listed, with every member it can have. */
async function makeSomething(bank: SampleBank) {
  await bank.act(`mutation { createAgreement(input: { agreementId: "agr_1", partyId: "pty_ada",
    productCode: "current", agreementType: "current-account", effectiveFrom: "2026-01-31",
    effectiveTo: "2999-01-31" }) { agreementId } }`)
  await bank.act('mutation { sendAgreementForSignature(agreementId: "agr_1") { agreementId } }')
  await bank.act('mutation { signAgreement(agreementId: "agr_1") { agreementId } }')
  await bank.act(`mutation { createProductOffer(input: { offerId: "off_1",
    productId: "prd_current", pricingQuoteId: "quo_current" }) { offerId } }`)
  await bank.act('mutation { publishProductOffer(offerId: "off_1") { offerId } }')
  await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "arr_1",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }`)
  await bank.act(productWithFee)
  await bank.act(`mutation { startFeeRun(input: { feeCode: "account",
    productId: "prd_fees" }) { feeRunId } }`)
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

async function call(
  bank: SampleBank,
  operation: DocumentedOperation,
  body = goodBody(operation.name),
): Promise<RestAnswer> {
  const { method, parameters } = operation
  const isKeyed = parameters.header.some((header) => header.name === 'Idempotency-Key')
  const options = isKeyed ? { key: unique('key') } : {}
  const path = await freshPath(bank, operation)
  return bank.rest(method, bank.prefix + path, body, options)
}

/** The records of a response, whatever wraps them. */
function recordsOf({ answer }: DocumentedOperation, body: any): Record<string, unknown>[] {
  if (answer!.shape === 'record') return [body]
  return answer!.shape === 'array' ? body : body.items
}

test('the specification and the routes list the same operations in the same order', () => {
  const built = routes.map(({ method, path }) => `${method} ${path}`)
  expect(documented).toHaveLength(21)
  expect(built).toEqual(documented.map(({ name }) => name))
})

describe.each(environments)('REST operations in %s', (environment) => {
  test.each(shown.map((operation) => [operation.name, operation] as const))(
    '%s returns exactly the documented members, in order, without nulls',
    async (_name, operation) => {
      const body = goodBody(operation.name)
      const answer = await call(banks[environment], operation, body)
      expect(answer.status, answer.text).toBe(operation.status)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('x-request-id')).toMatch(/^[!-~]{1,80}$/)
      if (operation.answer!.shape === 'page') {
        expect(Object.keys(answer.body)).toEqual(['items', 'pagination'])
        expect(answer.body.pagination).toEqual({ pageSize: 50 })
      }
      const records = recordsOf(operation, answer.body)
      expect(records).not.toEqual([])
      for (const record of records) expectDocumented(record, operation.answer!.members)
      if (operation.answer!.shape !== 'record') return
      const members = operation.answer!.members.map(({ name }) => name)
      // A member that the caller sent and the record stores comes back unchanged.
      for (const [name, value] of Object.entries(body!)) {
        if (members.includes(name) && !name.endsWith('Id')) expect(records[0]![name]).toEqual(value)
      }
    },
  )

  test('lists return every documented member', async () => {
    for (const operation of shown.filter(({ method }) => method === 'GET')) {
      const { body } = await call(banks[environment], operation)
      const names = operation.answer!.members.map(({ name }) => name)
      expect(Object.keys(recordsOf(operation, body)[0]!)).toEqual(names)
    }
  })

  test('sends no Location header, because no record can be read alone over REST', async () => {
    const bank = banks[environment]
    for (const operation of documented) {
      const answer = await call(bank, operation)
      expect(answer.headers.get('location'), operation.name).toBe(null)
    }
  })

  test('operations without a response in the specification return what the served contract describes', async () => {
    const bank = banks[environment]
    const contract = dereference((await bank.rest('GET', '/openapi.json')).body)
    for (const operation of documented.filter((one) => !shown.includes(one))) {
      const { status, body, text } = await call(bank, operation)
      expect(status, text).toBe(200)
      const found = contract.paths[operation.path][operation.method.toLowerCase()]
      const { schema } = found.responses[200].content['application/json']
      expect(ajv.validate(strict(schema), body), ajv.errorsText()).toBe(true)
    }
  })

  test('echoes the X-Request-Id of the caller in successes and problems', async () => {
    const bank = banks[environment]
    const headers = { 'x-request-id': 'caller-7' }
    const path = `${bank.prefix}/agreements`
    const answer = await bank.rest('GET', path, undefined, { headers })
    expect(answer.headers.get('x-request-id')).toBe('caller-7')
    const refused = await bank.rest('GET', `${path}?x=1`, undefined, { headers })
    expect(refused.headers.get('x-request-id')).toBe('caller-7')
    expect(refused.body.requestId).toBe('caller-7')
  })

  test('generates a different X-Request-Id for each request that has none', async () => {
    const bank = banks[environment]
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
    const path = `${bank.prefix}/agreements`
    const answers = [
      await bank.rest('GET', path),
      await bank.rest('GET', path),
      await bank.rest('GET', `${path}?x=1`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(uuid)
    expect(new Set(ids).size).toBe(3)
    expect(answers[2]!.body.requestId).toBe(ids[2])
  })
})

function expectDocumented(record: Record<string, unknown>, members: readonly Member[]) {
  const names = Object.keys(record)
  expect(members.map(({ name }) => name).filter((name) => name in record)).toEqual(names)
  for (const member of members) {
    const value = record[member.name]
    if (value === undefined) {
      expect(member.isRequired, member.name).toBeUndefined()
      continue
    }
    expect(typeof value, member.name).toBe(member.type)
    expect(value).not.toBeNull()
    if (member.format === 'date') expect(value).toMatch(/^\d{4}-\d\d-\d\d$/)
    if (member.format === 'date-time') {
      expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    }
    if (member.enum) expect(member.enum).toContain(value)
  }
}

describe('`/openapi.json`', () => {
  let served: any
  let contract: any
  beforeAll(async () => {
    const answer = await banks.live.rest('GET', '/openapi.json', undefined, { token: null })
    expect(answer.status).toBe(200)
    served = answer.body
    contract = dereference(served)
  })

  test('is valid OpenAPI 3.1 and describes version 1.0.0 of the API', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(served))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(contract.info.version).toBe('1.0.0')
  })

  test('lists exactly the documented operations', () => {
    const names = Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(names.sort()).toEqual(documented.map(({ name }) => name).sort())
  })

  test('has a unique operationId for each operation', () => {
    const ids = Object.values<any>(contract.paths).flatMap((path) =>
      Object.values<any>(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('takes descriptions from the GraphQL schema, with names spelled as in REST', () => {
    const bodyOf = (path: string) =>
      contract.paths[path].post.requestBody.content['application/json'].schema.properties
    const { clientTransactionId, advice } = bodyOf('/posting-instructions')
    expect(clientTransactionId.description).toMatch(/ID for an authorization/)
    expect(advice.description).toContain('postings:force')
    const { amount, interestTreatment, strategy } = {
      ...bodyOf('/facilities/{facilityId}/payment-holidays'),
      ...bodyOf('/facilities/{facilityId}/extra-payments'),
    }
    expect(amount.description).toContain('strategy `payoff`')
    expect(strategy.enum).toContain('payoff')
    expect(interestTreatment.description).toContain('`defer`')
    const { state, pageToken } = Object.fromEntries(
      contract.paths['/accounts'].get.parameters.map((each: any) => [each.name, each.schema]),
    )
    expect(state.description).toMatch(/letter case/)
    expect(pageToken.description).toMatch(/previous page/)
  })

  test.each(shown.map((operation) => [operation.name, operation] as const))(
    '%s: contains all that the specification documents and requires nothing more',
    (_name, operation) => {
      const found = contract.paths[operation.path][operation.method.toLowerCase()]
      expect(found.security).toContainEqual({ bearerAuth: [] })
      expectParameters(operation, found.parameters)
      const good = found.responses[operation.status].content['application/json'].schema
      const { shape, members } = operation.answer!
      if (shape === 'record') expectMembers(good, members, 'exactly')
      if (shape === 'array') expectMembers(good.items, members, 'exactly')
      if (shape === 'page') {
        expect(Object.keys(good.properties)).toEqual(['items', 'pagination'])
        expectMembers(good.properties.items.items, members, 'exactly')
        const { pageSize, nextPageToken } = good.properties.pagination.properties
        expect([pageSize.type, nextPageToken.type]).toEqual(['integer', 'string'])
      }
      if (!operation.body) return expect(found.requestBody).toBeUndefined()
      const { schema } = found.requestBody.content['application/json']
      expectMembers(schema, operation.body, 'a part of')
      const needed = operation.body.filter(({ isRequired }) => isRequired).map(({ name }) => name)
      if (needed.length > 0) expect(schema.required.toSorted()).toEqual(needed.toSorted())
    },
  )
})

function expectParameters({ parameters, name }: DocumentedOperation, found: any[]) {
  for (const [place, members] of Object.entries(parameters)) {
    for (const member of members) {
      const parameter = found.find((one) => one.in === place && one.name === member.name)
      expect(parameter, `${name}: ${member.name}`).toBeDefined()
      expect(parameter.required === true).toBe(member.isRequired === true)
      expectMember(parameter.schema, member)
    }
  }
  const known = Object.values(parameters).flat()
  for (const { name: own, required } of found) {
    if (!known.some((member) => member.name === own)) expect(required, own).toBe(false)
  }
}

function expectMembers(schema: any, members: readonly Member[], how: 'exactly' | 'a part of') {
  const names = members.map(({ name }) => name)
  const found = Object.keys(schema.properties)
  if (how === 'exactly') expect(found).toEqual(names)
  else expect(found).toEqual(expect.arrayContaining(names))
  for (const member of members) expectMember(schema.properties[member.name], member)
}

function expectMember(schema: any, member: Member) {
  expect(schema.type, member.name).toBe(member.type)
  for (const name of ['format', 'enum', 'maxLength', 'minimum', 'maximum', 'default'] as const) {
    if (member[name] !== undefined) expect(schema[name], member.name).toEqual(member[name])
  }
}
