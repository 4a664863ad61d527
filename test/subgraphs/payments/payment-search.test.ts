import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { aBankWithMoney, ada, grace, inside, list, transfer } from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
})
afterAll(() => bank.drop())

test('payments are found by their amount and its currency, by those who may see them', async () => {
  const { data } = await transfer(bank, inside({ amount: { amount: '3.21', currency: 'EUR' } }))
  const { paymentId } = data.payment
  const ids = async (amount: string, currency: string, caller?: typeof ada) => {
    const found = await list(bank, { amount: { amount, currency } }, caller ? { caller } : {})
    return found.nodes.map((node: any) => node.paymentId)
  }
  for (const caller of [undefined, ada])
    expect(await ids('3.21', 'EUR', caller)).toEqual([paymentId])
  expect(await ids('3.21', 'USD')).toEqual([])
  expect(await ids('3.22', 'EUR')).toEqual([])
  const stranger = { ...grace, partyId: 'pty_nobody', subject: 'pty_nobody' }
  expect(await ids('3.21', 'EUR', stranger)).toEqual([])
})
