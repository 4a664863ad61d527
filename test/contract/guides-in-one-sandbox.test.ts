// The guides that change the clock or the sample data work one after the other in one sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { resultsOf } from './guide-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

// The clock is moved by 6, 3, 4 and 4 months, and the loan that is late is paid before it is secured.
test('in an order of their own, each has the result that it describes', async () => {
  await resultsOf('charge-late-payments.md', bank)
  const deposit = await resultsOf('deposit-for-a-term.md', bank)
  expect(deposit.at(-6).withdrawTermDeposit).toMatchObject({
    state: 'WITHDRAWN',
    penalty: { amount: '67.80' },
  })
  expect(deposit.at(-1).openDeposit.amount.amount).toBe('1000.00')

  const secured = await resultsOf('secure-a-loan-with-people.md', bank)
  expect(secured.at(-3).guaranteeCall).toEqual({
    received: { amount: '45.00' },
    obligor: { guaranteed: { amount: '455.00' } },
  })

  const provided = await resultsOf('provide-for-credit-losses.md', bank)
  expect(provided.at(-1).facility.provision.stage).toBe('STAGE_2')

  const reset = await resultsOf('follow-a-reference-rate.md', bank)
  expect(reset[3].openFacility.floatingRate.marginPct).toBe('2.85')
  expect(reset[6].closeFacilityDays.rateResets).toMatchObject([{ fixingPct: '2.9' }])

  const earned = await resultsOf('earn-interest.md', bank)
  const { capitalizations } = earned.at(-1).accrueInterest
  expect(Number(capitalizations.nodes[0].net.amount)).toBeGreaterThan(0)

  const stated = await resultsOf('send-statements.md', bank)
  expect(stated[1].facility.statement.csv.fileName).toMatch(/^fac_ada-/)
}, 240_000)
