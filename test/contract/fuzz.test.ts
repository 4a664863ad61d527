/**
 * Some 1,500 requests generated from the served contract, most of them invalid: never a 5xx, always a
 * documented success or a problem, and a rejected request stores nothing.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RestAnswer } from '../kit/platform.ts'
import {
  aSampleBank,
  countRows,
  faultsOfProblem,
  goodBody,
  freshPath,
  unique,
  type SampleBank,
} from './kit.ts'
import { dereference } from './dereference.ts'
import { documented, type DocumentedOperation } from './specification.ts'

let bank: SampleBank
let contract: any
beforeAll(async () => {
  // Rows are counted, so only requests may create any.
  bank = await aSampleBank('live', true)
  contract = dereference((await bank.rest('GET', '/openapi.json')).body)
})
afterAll(() => bank.stop())

const nasty = fc.constantFrom(
  '',
  ' ',
  'null',
  'undefined',
  'true',
  '-1',
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; drop table parties.party; --",
  "' or 1=1 --",
  '" or ""="',
  '$1',
  '%s%n',
  '%',
  '_',
  '\\',
  '{{7*7}}',
  '{% for a in (1..9999999) %}{% endfor %}',
  '${7*7}',
  '<script>alert(1)</script>',
  '=cmd|x!a',
  '../../etc/passwd',
  'a\r\nset-cookie: x=y',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  'é'.normalize('NFD'),
  '👨‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(65),
  'x'.repeat(20_000),
  '9'.repeat(400),
  '2026-02-30',
  '2026-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999+23:59',
  '0001-01-01T00:00:00-23:59',
  'pty_ada',
  'cus_ada',
  'prd_current',
  'tpl_welcome',
  'welcome',
  'active',
)

const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 2 ** 53, 1e308, -1.5, '', [], {}),
    nasty,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(nasty, fc.string({ maxLength: 8 })), tie('value'), { maxKeys: 3 }),
  ),
}))

/** A value that the schema allows about half of the time, else anything. */
function valueOf(schema: any): fc.Arbitrary<unknown> {
  const fitting: fc.Arbitrary<unknown>[] = [nasty]
  if (schema.enum) fitting.push(fc.constantFrom(...schema.enum))
  if (schema.type === 'integer') fitting.push(fc.integer({ min: -2, max: 202 }))
  if (schema.type === 'object') fitting.push(fc.object({ maxDepth: 3 }))
  if (schema.format === 'date-time') {
    fitting.push(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()))
  }
  if (schema.type === 'string') fitting.push(fc.string({ minLength: 1, maxLength: 70 }))
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...fitting) },
    { weight: 1, arbitrary: anything },
  )
}

/** Valid members with some replaced, some omitted, and sometimes an unknown one. */
function bodyOf(operation: DocumentedOperation): fc.Arbitrary<string> {
  const { schema } = contract.paths[operation.path].post.requestBody.content['application/json']
  const changes = Object.fromEntries(
    Object.entries(schema.properties).map(([name, of]) => [
      name,
      fc.oneof(
        { weight: 2, arbitrary: fc.constant(retain) },
        { weight: 1, arbitrary: valueOf(of) },
      ),
    ]),
  )
  const members = fc
    .tuple(
      fc.record(changes, { requiredKeys: [] }),
      fc.dictionary(nasty, anything, { maxKeys: 1, noNullPrototype: true }),
      fc.nat(4),
    )
    .map(([changed, more, isOdd]) => {
      const good = { ...goodBody(operation.name) }
      for (const [name, value] of Object.entries(changed)) {
        if (value !== retain) good[name] = value
      }
      return JSON.stringify(isOdd === 0 ? { ...good, ...more } : good)
    })
  // One character replaced or removed, anywhere.
  const broken = fc
    .tuple(members, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 }))
    .map(
      ([text, at, put]) =>
        text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1),
    )
  return fc.oneof(
    { weight: 6, arbitrary: members },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
  )
}
const retain = Symbol('unchanged')

function queryOf(operation: DocumentedOperation): fc.Arbitrary<string> {
  const parameters: any[] = contract.paths[operation.path].get.parameters
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const pair = fc
    .oneof(
      ...known.map(({ name, schema }) => fc.tuple(fc.constant(String(name)), valueOf(schema))),
      { weight: 1, arbitrary: fc.tuple(nasty, nasty) },
    )
    .map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`)
  return fc.array(pair, { maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`)
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Percent-encodes any string; longer values would only hit the limit on header size. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 2000)

/**
 * Checks that a request has a documented answer, and stores nothing unless it succeeds. Workers can store
 * what they derive from earlier requests at the same moment, so a request that seems to store something
 * is repeated, and only fails if it does so each time.
 */
async function expectAnswered(operation: DocumentedOperation, send: () => Promise<RestAnswer>) {
  const mayStore = ({ status }: RestAnswer) =>
    status === operation.status && operation.method !== 'GET'
  let stored = 0
  for (let tries = 0; tries < 4; tries++) {
    const before = await countRows(bank)
    const answer = await send()
    if (answer.status !== operation.status) {
      const documentedStatuses = [400, 401, 403, 404, 409, 413, 422, 431]
      expect(documentedStatuses, answer.text).toContain(answer.status)
      expect(faultsOfProblem(answer), answer.text).toEqual([])
    }
    stored = mayStore(answer) ? 0 : (await countRows(bank)) - before
    if (stored === 0) return
  }
  expect(stored, 'rows that each of four equal requests stored').toBe(0)
}

const cases = documented.map((operation) => [operation.name, operation] as const)
const runs = 100

test.each(cases)(
  '%s answers generated requests with a documented response',
  { timeout: 60_000 },
  async (_name, operation) => {
    const { method, path } = operation
    const headers = { 'content-type': 'application/json' }
    if (method === 'GET') {
      const property = fc.asyncProperty(queryOf(operation), (query) =>
        expectAnswered(operation, () => bank.rest('GET', path + query)),
      )
      return fc.assert(property, { numRuns: runs })
    }
    const property = fc.asyncProperty(bodyOf(operation), async (raw) => {
      const own = await freshPath(bank, operation)
      await expectAnswered(operation, () =>
        bank.rest('POST', own, undefined, { raw, headers, key: unique('key') }),
      )
    })
    return fc.assert(property, { numRuns: runs })
  },
)
