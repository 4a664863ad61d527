import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Term deposits in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    for (const mutation of [
      `createProduct(input: { productId: "prd_fixed", name: "Fixed deposit", productClass: "term-deposit",
        status: "active", version: "2026.1", currencies: ["EUR"], depositInterest: {
          tiers: [{ annualRatePct: "0" }], capitalization: AT_MATURITY, fixedTerms: {
            offers: [{ months: 6, annualRatePct: "3" }, { months: 12, annualRatePct: "3.65" }],
            minimumAmount: { amount: "500.00", currency: "EUR" }, earlyWithdrawal: { penaltyDays: 90 } } } }) {
        productId }`,
      `openAccountArrangement(input: { arrangementId: "arr_ada_fixed", customerId: "cus_ada",
        productId: "prd_fixed", nickname: "Rainy days" }) { arrangementId }`,
    ]) {
      const { body } = await kit.bank.graph(`mutation { ${mutation} }`)
      expect(body.errors).toBeUndefined()
    }
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('money is deposited for an offered term, with a preview', async () => {
    const page = await kit.open('Tina', '/accounts/arr_ada_fixed')
    const section = page.getByRole('region', { name: 'Term deposits' })
    await section.getByText('No money has been deposited for a term.').waitFor()
    await section.getByRole('button', { name: 'Deposit money' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deposit money' })
    await dialog.getByRole('button', { name: 'Deposit the money' }).click()
    await dialog.getByText('From which account?').waitFor()
    await dialog.getByRole('combobox', { name: 'From the account' }).click()
    await page
      .getByRole('option', { name: /Everyday|Current/ })
      .first()
      .click()
    await dialog.getByLabel('Amount in EUR').fill('100')
    await dialog.getByRole('button', { name: 'Deposit the money' }).click()
    await dialog.getByText('A deposit must be at least 500.00 EUR.').first().waitFor()
    await dialog.getByLabel('Amount in EUR').fill('1000')
    await dialog.getByText(/^Earns €36\.\d\d until /).waitFor()
    await dialog.getByRole('combobox', { name: 'At the maturity' }).click()
    await page.getByRole('option', { name: 'Deposit it again with the interest' }).click()
    await dialog.getByRole('button', { name: 'Deposit the money' }).click()
    const row = section.getByRole('row', { name: /12 months at 3.65%/ })
    await row.getByText('Active').waitFor()
    await row.getByText('€1,000.00').waitFor()
    expect(await section.getByRole('button', { name: 'Deposit money' }).count()).toBe(0)
  })

  test('its maturity is changed, and the customer sees it without buttons', async () => {
    const page = await kit.open('Tina', '/accounts/arr_ada_fixed')
    await page.getByRole('button', { name: 'Change the maturity' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the maturity' })
    await dialog.getByRole('combobox', { name: 'At the maturity' }).click()
    await page.getByRole('option', { name: 'Pay out the deposit and the interest' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Maturity changed').waitFor()
    const { body } = await kit.bank.graph(
      '{ termDeposits(arrangementId: "arr_ada_fixed") { nodes { maturityInstruction } } }',
    )
    expect(body.data.termDeposits.nodes).toEqual([{ maturityInstruction: 'PAY_OUT' }])
    const ada = await kit.open('Ada', '/accounts/arr_ada_fixed')
    const section = ada.getByRole('region', { name: 'Term deposits' })
    await section.getByText('12 months at 3.65%').waitFor()
    expect(await section.getByRole('button').count()).toBe(0)
  })

  test('an early withdrawal shows what it costs before it is made', async () => {
    const page = await kit.open('Tina', '/accounts/arr_ada_fixed')
    await page.getByRole('button', { name: 'Withdraw early' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw early' })
    await dialog.getByText('€1,000.00').waitFor()
    await dialog.getByRole('button', { name: 'Withdraw the deposit' }).click()
    await page.getByText('€1,000.00 paid out').waitFor()
    const section = page.getByRole('region', { name: 'Term deposits' })
    await section.getByRole('row', { name: /Withdrawn/ }).waitFor()
    await section.getByRole('button', { name: 'Deposit money' }).waitFor()
  })

  test('the pages have no barriers', async () => {
    expect(await barriersOnPages(kit, 'Tina', ['/accounts/arr_ada_fixed?dialog=deposit'])).toEqual(
      [],
    )
  })
})
