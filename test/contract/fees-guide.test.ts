// Runs the operations of the guide to single fees exactly as printed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { staffToken, stepsOf } from './guide-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

const people: Record<string, string> = { Open: 'tina', PayIn: 'tina', Approve: 'anna' }

test('each operation has the result that the guide describes', async () => {
  const results: Record<string, any> = {}
  for (const { query, operationName } of stepsOf('charge-fees.md', bank)) {
    const token = staffToken(bank, people[operationName] ?? 'omar')
    const { body } = await bank.graph(query, {}, { token })
    expect(body.errors, operationName).toBeUndefined()
    results[operationName] = body.data
  }
  expect(results['Preview'].feeChargePreview).toEqual({
    amount: { amount: '40.00' },
    thirdParty: 'notary',
    outcome: 'CHARGED',
  })
  expect(results['Charge'].chargeFee).toMatchObject({ status: 'CHARGED', owed: { amount: '0.00' } })
  expect(results['List'].feeCharges.nodes).toEqual([
    {
      feeName: 'Notarial certificate',
      trigger: null,
      status: 'CHARGED',
      reason: 'Certificate for the land register',
      amount: { amount: '40.00' },
    },
  ])
  expect(results['Propose'].proposeFeeRefund.status).toBe('REFUND_PROPOSED')
  expect(results['Approve'].approveFeeRefund.status).toBe('REFUNDED')
  const query = '{ balance(arrangementId: "arr_served") { available } }'
  const { body } = await bank.graph(query, {}, { token: staffToken(bank, 'tina') })
  expect(body.data.balance.available).toBe('50.00')
})
