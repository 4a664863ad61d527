// Runs the commands of the guide on co-borrowers and guarantors exactly as printed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { blocksOf, staffToken } from './guide-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('each command has the result that the guide describes', async () => {
  const results: any[] = []
  const [TELLER_TOKEN, STAFF_TOKEN, SECOND_TOKEN] = ['tina', 'liam', 'anna'].map((name) =>
    staffToken(bank, name),
  )
  const env = { ...process.env, TELLER_TOKEN, STAFF_TOKEN, SECOND_TOKEN }
  for (const block of blocksOf('secure-a-loan-with-people.md', 'sh', bank)) {
    for (const command of block.split(/\n\n(?=curl )/)) {
      const { stdout } = await promisify(execFile)('bash', ['-c', command], { env })
      const body = JSON.parse(stdout)
      expect(body.errors, command).toBeUndefined()
      results.push(Object.values(body.data)[0])
    }
  }
  const [, partner, ada, call, repayment, paid, proposed, released] = results
  expect(partner.status).toBe('ACTIVE')
  expect(Number(partner.guaranteed.amount)).toBeGreaterThan(1_000)
  expect(ada).toEqual({ status: 'ACTIVE', guaranteed: { amount: '500.00' } })
  expect(call).toMatchObject({ status: 'OPEN', received: { amount: '0.00' } })
  expect(repayment).toEqual({ status: 'APPLIED', amount: { amount: '45.00' } })
  expect(paid).toEqual({
    received: { amount: '45.00' },
    obligor: { guaranteed: { amount: '455.00' } },
  })
  expect(proposed.status).toBe('RELEASE_PROPOSED')
  expect(released).toEqual({ status: 'RELEASED', guaranteed: { amount: '0.00' } })
})
