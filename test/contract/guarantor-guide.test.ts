// Runs the commands of the guide on co-borrowers and guarantors exactly as printed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { resultsOf } from './guide-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('each command has the result that the guide describes', async () => {
  const results = await resultsOf('secure-a-loan-with-people.md', bank)
  const answers = results.map((data) => Object.values<any>(data)[0])
  const [opened, drawn, late, , partner, ada, call, repayment, paid, ...release] = answers
  expect([opened.state, drawn.status]).toEqual(['APPROVED', 'DISBURSED'])
  expect(late.delinquency.daysPastDue).toBe(16)
  expect(partner.status).toBe('ACTIVE')
  expect(Number(partner.guaranteed.amount)).toBeGreaterThan(1_000)
  expect(ada).toEqual({ status: 'ACTIVE', guaranteed: { amount: '500.00' } })
  expect(call).toMatchObject({ status: 'OPEN', received: { amount: '0.00' } })
  expect(repayment).toEqual({ status: 'APPLIED', amount: { amount: '45.00' } })
  expect(paid).toEqual({
    received: { amount: '45.00' },
    obligor: { guaranteed: { amount: '455.00' } },
  })
  const [proposed, released] = release
  expect(proposed.status).toBe('RELEASE_PROPOSED')
  expect(released).toEqual({ status: 'RELEASED', guaranteed: { amount: '0.00' } })
})
