/**
 * The access matrix: every documented REST operation, every root field and the subscription, over
 * every transport, with every kind of credential.
 */
import { beforeAll, expect, test } from 'vitest'
import { documented } from '../contract/specification.ts'
import { theGraph } from '../kit/platform.ts'
import { tryMatrix, type Matrix } from './matrix.ts'

let matrix: Matrix
beforeAll(async () => {
  matrix = await tryMatrix()
  console.log(`${matrix.cells} cells of ${matrix.operations.length} endpoints.`)
}, 180_000)

test('accepts or rejects every credential as its scope and validity require', () => {
  expect(matrix.wrong).toEqual([])
})

test('covers every operation over every transport', async () => {
  const { apiSchema } = await theGraph()
  const root = (server: string, type: string, fields: object) =>
    Object.keys(fields).map((name) => `${server} ${type} ${name}`)
  const queries = apiSchema.getQueryType()!.getFields()
  const expected = [
    ...documented.map(({ name }) => `REST ${name}`),
    ...root('POST', 'query', queries),
    ...root('GET', 'query', queries),
    ...root('POST', 'mutation', apiSchema.getMutationType()!.getFields()),
    ...root('SSE', 'subscription', apiSchema.getSubscriptionType()!.getFields()),
    ...root('WebSocket', 'subscription', apiSchema.getSubscriptionType()!.getFields()),
  ]
  expect(matrix.operations.toSorted()).toEqual(expected.toSorted())
})

test('requires a token but no scope for a known list of fields only', () => {
  expect(matrix.scopeless.toSorted()).toEqual([
    'annualPercentageRate',
    'environment',
    'idempotencyRecord',
    'loggedRequests',
    'problems',
    'repaymentSchedule',
  ])
})
