/**
 * Every documented operation through the client package, against the sandbox, with the examples of
 * the served contract.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../sdk/src/operations.generated.ts'
import type { BankClient, ItemList } from '../../sdk/src/index.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import type { Platform } from '../kit/platform.ts'
import { aClient } from './kit.ts'

interface Documented {
  operationId: string
  parameters: { name: string; in: string; example?: string }[]
  requestBody?: { content: Record<string, { examples?: Record<string, { value: object }> }> }
}

let bank: Platform
let client: BankClient
let contract: { paths: Record<string, Record<string, Documented>> }
beforeAll(async () => {
  bank = await aSeededPlatform()
  client = aClient(bank)
  contract = (await (await fetch(`${bank.url}/openapi.json`)).json()) as typeof contract
})
afterAll(() => bank.stop())

const changes = Object.entries(operations).filter(([, { list }]) => list === null)
const lists = Object.entries(operations).filter(([, { list }]) => list !== null)

test('the package has all 21 documented operations', () => {
  const documented = Object.values(contract.paths).flatMap((methods) => Object.values(methods))
  const served = documented.map(({ operationId }) => operationId)
  expect([...served].toSorted()).toEqual(Object.keys(operations).toSorted())
  expect(served).toHaveLength(21)
})

test.each(changes)('%s accepts the examples of the contract', async (name, { method, path }) => {
  const { parameters, requestBody } = contract.paths[path]![method.toLowerCase()]!
  const ids = parameters.filter((each) => each.in === 'path').map(({ example }) => example)
  const { examples = {} } = requestBody!.content['application/json']!
  const [body] = Object.values(examples).map(({ value }) => value)
  expect(body, 'the contract has an example').toBeDefined()
  const call = client[name as keyof BankClient] as (...input: unknown[]) => Promise<object>
  const idempotencyKey = `sdk-${name}`
  const first = await call(...ids, body, { idempotencyKey })
  expect(Object.keys(first).length).toBeGreaterThan(0)
  // A call with the same key returns the same record.
  expect(await call(...ids, body, { idempotencyKey })).toEqual(first)
})

test.each(lists)('%s returns every record once, whatever the size of the page', async (name) => {
  const list = client[name as keyof BankClient] as (query?: object) => ItemList<object>
  const all = await list({ pageSize: 100 }).all()
  expect(all.length).toBeGreaterThan(0)
  const single: object[] = []
  for await (const item of list({ pageSize: 1 })) single.push(item)
  expect(single).toEqual(all)
  const page = await list({ pageSize: 1 })
  expect(page.items).toEqual(all.slice(0, 1))
})
