import { expect } from 'vitest'
import { type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

export let bank: Platform
/** Opens the sandbox's sample bank for a test file. */
export async function openSampleBank(): Promise<void> {
  bank = await aSeededPlatform()
}

export const [current, savings, graces] = [
  'arr_ada_current',
  'arr_ada_savings',
  'arr_grace_current',
]
export const eur = (amount: string) => ({ amount, currency: 'EUR' })
const fields = `transactionId status creditDebitIndicator amount { amount currency } date bookedAt valueDate
  description endToEndId counterparty { name accountIdentification } paymentId reversesTransactionId`

export async function mutate(field: string, input: object, options = {}) {
  const [name, selection] = field.split(/ (.*)/s) as [string, string]
  const type = bank.schema.getMutationType()!.getFields()[name]!.args[0]!.type
  const { body } = await bank.graph(
    `mutation ($input: ${String(type)}) { ${name}(input: $input) ${selection} }`,
    { input },
    options,
  )
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data[name]
}

export const post = async (input: object): Promise<string> =>
  (await mutate('createPostingInstruction { postingInstructionId }', input)).postingInstructionId
export const transfer = (input: object) => mutate('createTransfer { paymentId state }', input)

export async function page(
  arrangementId: string,
  filter: object = {},
  more: object = {},
  options = {},
) {
  const { body } = await bank.graph(
    `query ($id: ID!, $filter: TransactionFilterInput, $first: Int, $after: String) {
      transactions(arrangementId: $id, filter: $filter, first: $first, after: $after) {
        nodes { ${fields} } edges { cursor } pageInfo { hasNextPage endCursor } } }`,
    { id: arrangementId, filter, first: 200, ...more },
    options,
  )
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data.transactions
}
export const list = async (id: string, filter: object = {}): Promise<any[]> =>
  (await page(id, filter)).nodes
export const one = async (id: string, transactionId: string) =>
  (await list(id)).filter((each) => each.transactionId === transactionId)
