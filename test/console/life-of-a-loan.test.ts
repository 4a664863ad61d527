import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The life of a loan in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a customer applies, employees decide, the money arrives, three months pass, and the customer pays extra', async () => {
    const ada = await kit.open('Ada', '/applications/new')
    await ada.getByLabel('Amount in EUR').fill('30000')
    await ada.getByLabel('Net monthly income').fill('9000')
    await ada.getByLabel('Months in your employment').fill('60')
    await ada.getByLabel('The bank may ask a credit bureau').check()
    await ada.getByText('Monthly installment').waitFor()
    await ada.getByRole('button', { name: 'Apply', exact: true }).click()
    await ada.waitForURL(/\/applications\/app_/)
    const path = pathOf(ada)
    await ada.getByText('In review').first().waitFor()

    // The amount exceeds Liam's credit authority, so a second person approves.
    const liam = await kit.open('Liam', path)
    await decide(liam)
    await liam.getByText('LIMIT_OF_AUTHORITY_EXCEEDED').waitFor()
    const anna = await kit.open('Anna', path)
    await decide(anna, 'Proof of income')
    await anna.getByText('Conditions are open').waitFor()
    await anna.getByRole('button', { name: 'Fulfilled' }).click()

    const before = await balanceOf('arr_ada_current')
    await ada.getByLabel('I have read these terms and accept them').check()
    await ada.getByRole('button', { name: 'Accept the terms' }).click()
    await ada.getByRole('link', { name: 'Pay out the loan' }).click({ timeout: 30_000 })
    await ada.getByText('can still be drawn').waitFor()
    await ada.getByRole('button', { name: 'Pay out', exact: true }).click()
    await ada.waitForURL(/\/loans\//)
    await ada.getByRole('heading', { name: 'Repayment schedule' }).waitFor()
    expect((await balanceOf('arr_ada_current')) - before).toBe(30_000)

    const omar = await kit.open('Omar', '/operations')
    await omar.getByRole('button', { name: 'Advance three months' }).click()
    const clock = omar.getByRole('region', { name: 'Clock' })
    await clock.getByText('Completed').waitFor({ timeout: 60_000 })
    await ada
      .getByRole('row', { name: /Collected/ })
      .nth(1)
      .waitFor()
    await ada.getByRole('link', { name: 'Extra payment' }).click()
    await ada.getByLabel('Amount in EUR').fill('2000')
    await ada.getByText(/A payment of €2,000.00 saves €[\d.]+ of interest/).waitFor()
    await ada.getByRole('button', { name: 'Pay', exact: true }).click()
    await ada.getByText('Version 2 · Extra payment').waitFor()
    await ada.getByRole('link', { name: 'Live events' }).click()
    await ada.getByText('lending.extra-payment.applied').first().waitFor()
    await omar.goto(`${kit.bank.url}/console/ledger`)
    await omar.getByText('All invariants hold').waitFor()
  }, 180_000)
})

const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/console', '')

async function decide(page: Page, condition = '') {
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByLabel('Condition').fill(condition)
  await page.getByRole('button', { name: 'Record the decision' }).click()
}

async function balanceOf(arrangementId: string): Promise<number> {
  const { body } = await kit.bank.graph(
    'query($id: ID!) { accountArrangement(arrangementId: $id) { balances { committed } } }',
    { id: arrangementId },
  )
  return Number(body.data.accountArrangement.balances[0].committed)
}
