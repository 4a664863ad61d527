/**
 * The documented operations are there, take what they document and answer exactly that; and the
 * served contract is the documented one with its gaps filled in, never less.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes.ts'
import type { RestAnswer } from '../kit/platform.ts'
import {
  aFurnishedBank,
  goodBody,
  freshPath,
  productWithFee,
  unique,
  type FurnishedBank,
} from './kit.ts'
import { dereference } from './dereference.ts'
import { documented, shown, type DocumentedOperation, type Member } from './specification.ts'

const environments = ['live', 'sandbox'] as const
const banks = {} as Record<(typeof environments)[number], FurnishedBank>

beforeAll(async () => {
  for (const name of environments) banks[name] = await aFurnishedBank(name)
  for (const bank of Object.values(banks)) await makeSomething(bank)
})
afterAll(async () => {
  for (const bank of Object.values(banks)) await bank.stop()
})

/** One record of each kind that is listed, with every member it can have. */
async function makeSomething(bank: FurnishedBank) {
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

/** An answer's schema that allows no other members. */
function strict(schema: any): any {
  if (schema.type === 'array') return { ...schema, items: strict(schema.items) }
  if (!schema.properties) return schema
  const members = Object.entries(schema.properties).map(([name, member]) => [name, strict(member)])
  return { ...schema, properties: Object.fromEntries(members), additionalProperties: false }
}

async function call(
  bank: FurnishedBank,
  operation: DocumentedOperation,
  body = goodBody(operation.name),
): Promise<RestAnswer> {
  const { method, parameters } = operation
  const isKeyed = parameters.header.some((header) => header.name === 'Idempotency-Key')
  const options = isKeyed ? { key: unique('key') } : {}
  const path = await freshPath(bank, operation)
  return bank.rest(method, bank.prefix + path, body, options)
}

/** The records of an answer, whatever it wraps them in. */
function recordsOf({ answer }: DocumentedOperation, body: any): Record<string, unknown>[] {
  if (answer!.shape === 'record') return [body]
  return answer!.shape === 'array' ? body : body.items
}

test('the specification and the routes name the same operations, in the same order', () => {
  const built = routes.map(({ method, path }) => `${method} ${path}`)
  expect(documented).toHaveLength(21)
  expect(built).toEqual(documented.map(({ name }) => name))
})

describe.each(environments)('in %s', (environment) => {
  test.each(shown.map((operation) => [operation.name, operation] as const))(
    '%s answers exactly the documented members, in order, none null',
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
      // What a caller sent, and it is the record's to keep, comes back as it was sent.
      for (const [name, value] of Object.entries(body!)) {
        if (members.includes(name) && !name.endsWith('Id')) expect(records[0]![name]).toEqual(value)
      }
    },
  )

  test('what is listed has every documented member', async () => {
    for (const operation of shown.filter(({ method }) => method === 'GET')) {
      const { body } = await call(banks[environment], operation)
      const names = operation.answer!.members.map(({ name }) => name)
      expect(Object.keys(recordsOf(operation, body)[0]!)).toEqual(names)
    }
  })

  test('no answer names a place that cannot be read over REST', async () => {
    const bank = banks[environment]
    for (const operation of documented) {
      const answer = await call(bank, operation)
      expect(answer.headers.get('location'), operation.name).toBe(null)
    }
  })

  test('what is not shown in the specification is answered as the served contract says', async () => {
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

  test('a correlation id comes back; another one is made where it is missing', async () => {
    const bank = banks[environment]
    const headers = { 'x-request-id': 'caller-7' }
    const path = `${bank.prefix}/agreements`
    const answer = await bank.rest('GET', path, undefined, { headers })
    expect(answer.headers.get('x-request-id')).toBe('caller-7')
    const refused = await bank.rest('GET', `${path}?x=1`, undefined, { headers })
    expect(refused.body.requestId).toBe('caller-7')
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

describe('the served contract', () => {
  let served: any
  let contract: any
  beforeAll(async () => {
    const answer = await banks.live.rest('GET', '/openapi.json', undefined, { token: null })
    expect(answer.status).toBe(200)
    served = answer.body
    contract = dereference(served)
  })

  test('is valid OpenAPI 3.1, and version 1.0.0 of the interface', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(served))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(contract.info.version).toBe('1.0.0')
  })

  test('names no operation that is not documented', () => {
    const names = Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(names.sort()).toEqual(documented.map(({ name }) => name).sort())
  })

  test('has one operationId per operation', () => {
    const ids = Object.values<any>(contract.paths).flatMap((path) =>
      Object.values<any>(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('its members say what the graph says of them, in the spelling of the wire', () => {
    const bodyOf = (path: string) =>
      contract.paths[path].post.requestBody.content['application/json'].schema.properties
    const { clientTransactionId, advice } = bodyOf('/posting-instructions')
    expect(clientTransactionId.description).toMatch(/^Names an authorisation/)
    expect(advice.description).toContain('postings:force')
    const { amount, interestTreatment, strategy } = {
      ...bodyOf('/facilities/{facilityId}/payment-holidays'),
      ...bodyOf('/facilities/{facilityId}/extra-payments'),
    }
    expect(amount.description).toContain('strategy payoff')
    expect(strategy.enum).toContain('payoff')
    expect(interestTreatment.description).toContain('`defer`')
    const { state, pageToken } = Object.fromEntries(
      contract.paths['/accounts'].get.parameters.map((each: any) => [each.name, each.schema]),
    )
    expect(state.description).toMatch(/letter case/)
    expect(pageToken.description).toMatch(/page before/)
  })

  test('its examples are what its schemas say', () => {
    let count = 0
    for (const path of Object.values<any>(contract.paths)) {
      for (const { requestBody, responses, operationId } of Object.values<any>(path)) {
        const sent = requestBody?.content['application/json']
        for (const [name, { value }] of Object.entries<any>(sent?.examples ?? {})) {
          expect(
            ajv.validate(sent.schema, value),
            `${operationId} ${name} ${ajv.errorsText()}`,
          ).toBe(true)
          count++
        }
        for (const [status, { content }] of Object.entries<any>(responses)) {
          const problem = content['application/problem+json']
          if (problem) expect(String(problem.example.status), operationId).toBe(status)
        }
        const good = (responses[200] ?? responses[201]).content['application/json']
        if (!good.example) continue
        expect(
          ajv.validate(strict(good.schema), good.example),
          `${operationId} ${ajv.errorsText()}`,
        ).toBe(true)
        count++
      }
    }
    expect(count).toBeGreaterThan(8)
  })

  test.each(shown.map((operation) => [operation.name, operation] as const))(
    '%s: all that is documented is there, and nothing more is required',
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
