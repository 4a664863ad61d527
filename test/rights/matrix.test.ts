/**
 * Who comes to which door with what: every documented operation, every root field of the graph and
 * the subscription, through every door they have, with every credential there is.
 */
import { beforeAll, expect, test } from 'vitest'
import { documented } from '../contract/specification.ts'
import { theGraph } from '../kit/platform.ts'
import { tryMatrix, type Matrix } from './matrix.ts'

let matrix: Matrix
beforeAll(async () => {
  matrix = await tryMatrix()
  console.log(`${matrix.cells} cells of ${matrix.operations.length} doors.`)
}, 180_000)

test('nobody gets in who should not, and nobody stays out who should', () => {
  expect(matrix.wrong).toEqual([])
})

test('every operation is in it', async () => {
  const { apiSchema } = await theGraph()
  const root = (door: string, type: string, fields: object) =>
    Object.keys(fields).map((name) => `${door} ${type} ${name}`)
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

test('what needs a token and no scope is what says so', () => {
  expect(matrix.scopeless.toSorted()).toEqual([
    'annualPercentageRate',
    'idempotencyRecord',
    'problems',
    'repaymentSchedule',
  ])
})
