/**
 * A request with several faults is answered with the problem of the first one in the documented
 * order, the same for every operation and whatever the other faults are.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScope } from '../../kernel/domain/scopes.ts'
import type { RestAnswer } from '../kit/platform.ts'
import {
  aSampleBank,
  faultsOfProblem,
  goodBody,
  freshPath,
  pathOf,
  unique,
  type SampleBank,
} from './kit.ts'
import { documented, type DocumentedOperation } from './specification.ts'

/** Members that make a body differ from the valid one. */
const otherwise: Record<string, object> = {
  'POST /accounts': { arrangementId: unique('arr') },
  'POST /events/subscriptions': { eventType: '*' },
  'POST /collateral': { collateralId: 'col_taken', collateralType: 'vehicle' },
  'POST /routing-profiles': { routingProfileId: 'rtp_taken', name: 'Taken' },
  'POST /notification-templates': { channel: 'sms' },
  'POST /notifications': { subject: 'Before' },
}

let bank: SampleBank
const usedKey = unique('used')
beforeAll(async () => {
  bank = await aSampleBank('live')
  const opened = { customerId: 'cus_ada', productId: 'prd_current', arrangementId: 'arr_taken' }
  const answer = await bank.rest('POST', '/accounts', { ...opened, state: 'pending' })
  expect(answer.status, answer.text).toBe(200)
  const subscribed = { subscriptionId: 'sub_taken', eventType: '*' }
  const subscription = await bank.rest('POST', '/events/subscriptions', subscribed)
  expect(subscription.status, subscription.text).toBe(200)
  // Every operation has used this key with a body that differs from the later ones.
  for (const operation of documented.filter(({ method }) => method === 'POST')) {
    const body = { ...goodBody(operation.name), ...otherwise[operation.name] }
    const path = await freshPath(bank, operation)
    const answer = await bank.rest('POST', path, body, { key: usedKey })
    expect(answer.status, answer.text).toBe(operation.status)
  }
})
afterAll(() => bank.stop())

/** A valid request, before faults are added. */
interface Draft {
  method: string
  path: string
  query: string
  token: string | null
  headers: Record<string, string>
  body: Record<string, unknown> | undefined
  raw: string | undefined
}

interface Fault {
  name: string
  code: string | readonly string[]
  status: number
  isFor(operation: DocumentedOperation): boolean
  spoil(draft: Draft, operation: DocumentedOperation): void
}

const always = () => true
const hasBody = ({ method }: DocumentedOperation) => method === 'POST'
const isListing = ({ method }: DocumentedOperation) => method === 'GET'
const documentsRequestId = ({ parameters }: DocumentedOperation) =>
  parameters.header.some(({ name }) => name === 'X-Request-Id')
const needsKey = ({ parameters }: DocumentedOperation) =>
  parameters.header.some(({ name }) => name === 'Idempotency-Key')

/** An id that another record already has, with different content. */
const taken: Record<string, { body: object; code: string }> = {
  'POST /product-catalog/products': {
    body: { productId: 'prd_current', name: 'Other' },
    code: 'PRODUCT_VERSION_EXISTS',
  },
  'POST /accounts': { body: { arrangementId: 'arr_taken' }, code: 'ARRANGEMENT_ALREADY_EXISTS' },
  'POST /events/subscriptions': {
    body: { subscriptionId: 'sub_taken' },
    code: 'SUBSCRIPTION_ALREADY_EXISTS',
  },
  'POST /collateral': { body: { collateralId: 'col_taken' }, code: 'RESOURCE_EXISTS' },
  'POST /routing-profiles': { body: { routingProfileId: 'rtp_taken' }, code: 'RESOURCE_EXISTS' },
  'POST /notification-templates': {
    body: { templateId: 'tpl_welcome' },
    code: 'TEMPLATE_ALREADY_EXISTS',
  },
}

/** References in the body to a record that does not exist, which is checked last. */
const references: Record<string, { member: string; code: string }> = {
  'POST /accounts': { member: 'customerId', code: 'CUSTOMER_NOT_FOUND' },
  'POST /notifications': { member: 'partyId', code: 'PARTY_NOT_FOUND' },
}

const header =
  (name: string, value: string) =>
  ({ headers }: Draft) =>
    void (headers[name] = value)

function fault(
  name: string,
  status: number,
  code: Fault['code'],
  isFor: Fault['isFor'],
  spoil: Fault['spoil'],
): Fault {
  return { name, status, code, isFor, spoil }
}

/** In the documented order. */
const faults: readonly Fault[] = [
  fault('too large a body', 413, 'PAYLOAD_TOO_LARGE', hasBody, (draft) => {
    draft.raw = `{"a":"${'x'.repeat(256 * 1024)}"}`
  }),
  fault('no such path', 404, 'ROUTE_NOT_FOUND', always, (draft) => void (draft.path += '/nowhere')),
  fault('a method that is not allowed', 405, 'METHOD_NOT_ALLOWED', always, (draft) => {
    draft.method = 'DELETE'
  }),
  fault('no token', 401, 'UNAUTHENTICATED', always, (draft) => void (draft.token = null)),
  fault('insufficient scopes', 403, 'INSUFFICIENT_SCOPE', always, (draft) => {
    const scopes = everyScope.filter((scope) => scope.startsWith('cases:'))
    draft.token &&= bank.token({ scopes })
  }),
  fault(
    'an unsupported media type',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    hasBody,
    header('content-type', 'text/plain'),
  ),
  fault('no acceptable response type', 406, 'NOT_ACCEPTABLE', always, header('accept', 'text/csv')),
  fault(
    'an idempotency key that is too long',
    400,
    'IDEMPOTENCY_KEY_INVALID',
    hasBody,
    header('idempotency-key', 'k'.repeat(81)),
  ),
  fault('no idempotency key', 400, 'IDEMPOTENCY_KEY_MISSING', needsKey, ({ headers }) => {
    if (headers['idempotency-key']?.length !== 81) delete headers['idempotency-key']
  }),
  fault(
    'a correlation id that is too long',
    400,
    'REQUEST_ID_INVALID',
    documentsRequestId,
    header('x-request-id', 'r'.repeat(81)),
  ),
  fault('malformed JSON', 400, 'MALFORMED_JSON', hasBody, (draft) => void (draft.raw ??= '{"a":1')),
  fault('a member of the wrong type', 400, 'VALIDATION_FAILED', hasBody, ({ body }) => {
    body![Object.keys(body!)[0]!] = 7
  }),
  fault('a page size that is too large', 400, 'PAGE_SIZE_INVALID', isListing, (draft) => {
    draft.query = '?pageSize=201'
  }),
  fault('a reused idempotency key', 422, 'IDEMPOTENCY_KEY_REUSED', hasBody, ({ headers }) => {
    // Faults of the key itself come first and stay.
    if (headers['idempotency-key']?.length !== 81) headers['idempotency-key'] ??= usedKey
  }),
  fault(
    'an id that is taken',
    409,
    Object.values(taken).map(({ code }) => code),
    ({ name }) => name in taken,
    ({ body }, { name }) => void Object.assign(body!, taken[name]!.body),
  ),
  fault(
    'a reference to an unknown record',
    422,
    Object.values(references).map(({ code }) => code),
    ({ name }) => name in references,
    ({ body }, { name }) => void (body![references[name]!.member] = 'nobody'),
  ),
]

/** Adds these faults to a valid request, from the last to the first, so that none undoes another. */
function draftOf(operation: DocumentedOperation, chosen: readonly Fault[]): Draft {
  const body = goodBody(operation.name)
  const draft: Draft = {
    method: operation.method,
    path: pathOf(operation),
    query: '',
    token: bank.token(),
    headers: needsKey(operation) ? { 'idempotency-key': unique('new') } : {},
    body,
    raw: undefined,
  }
  if (chosen.some(({ code }) => code === 'IDEMPOTENCY_KEY_REUSED')) {
    draft.headers['idempotency-key'] = usedKey
  }
  for (const one of chosen.toReversed()) one.spoil(draft, operation)
  return draft
}

async function send({ method, path, query, token, headers, body, raw }: Draft) {
  // fetch rejects a body on GET; lists have no fault in the body.
  const sent = method === 'GET' ? undefined : body
  const options = { token, headers, ...(raw !== undefined && { raw }) }
  return bank.rest(method, path + query, sent, options)
}

function expectFirst(answer: RestAnswer, first: Fault) {
  expect({ status: answer.status, code: answer.body.code }, first.name).toEqual({
    status: first.status,
    code: typeof first.code === 'string' ? first.code : expect.stringMatching(first.code.join('|')),
  })
  expect(faultsOfProblem(answer)).toEqual([])
}

const cases = documented.map((operation) => [operation.name, operation] as const)

test.each(cases)('%s: answers each fault alone with its problem', async (_name, operation) => {
  for (const one of faults.filter(({ isFor }) => isFor(operation))) {
    expectFirst(await send(draftOf(operation, [one])), one)
  }
})

test.each(cases)(
  '%s: answers random combinations of faults with the first one',
  async (_name, operation) => {
    const own = faults.filter(({ isFor }) => isFor(operation))
    await fc.assert(
      fc.asyncProperty(fc.subarray(own, { minLength: 2 }), async (chosen) => {
        expectFirst(await send(draftOf(operation, chosen)), chosen[0]!)
      }),
      { numRuns: 60 },
    )
  },
)

test.each(cases)(
  '%s: answers every pair of faults with the first one',
  async (_name, operation) => {
    const own = faults.filter(({ isFor }) => isFor(operation))
    const pairs = own.flatMap((one, at) => own.slice(at + 1).map((other) => [one, other] as const))
    for (const pair of pairs) {
      expectFirst(await send(draftOf(operation, pair)), pair[0])
    }
  },
)

test('a 405 response lists the allowed methods', async () => {
  const answer = await bank.rest('DELETE', '/accounts', undefined, { token: null })
  expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST'])
})

test('WWW-Authenticate leads to the resource metadata, or names the missing scope', async () => {
  const nobody = await bank.rest('GET', '/agreements', undefined, { token: null })
  expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/)
  const token = bank.token({ scopes: ['cases:read'] })
  const somebody = await bank.rest('GET', '/agreements', undefined, { token })
  expect(somebody.headers.get('www-authenticate')).toMatch(
    /error="insufficient_scope", scope="agreements:read"/,
  )
})
