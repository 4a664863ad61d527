import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dateOf } from '../../kernel/domain/dates.ts'
import { eventually } from '../kit/eventually.ts'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Reference rates in the console', () => {
  let today: string
  beforeAll(async () => {
    kit = await aConsole()
    today = dateOf(kit.bank.bank.now())
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('are created, and get their fixings from a file', async () => {
    const page = await kit.open('Omar', '/reference-rates')
    await page.getByRole('button', { name: 'New reference rate' }).click()
    await page.getByLabel('ID').fill('EURIBOR 3M')
    await page.getByLabel('Name').fill('3-month EURIBOR')
    await page.getByRole('button', { name: 'Create the reference rate' }).click()
    await page.getByText('An ID such as EURIBOR-3M.').waitFor()
    await page.getByLabel('ID').fill('EURIBOR-3M')
    await page.getByRole('button', { name: 'Create the reference rate' }).click()
    await page.getByText('No fixing is recorded.').waitFor()

    await page.getByRole('button', { name: 'Record fixings' }).click()
    const file = `Date;Rate\n${addDays(today, -4)};2,10\n${addDays(today, -3)};about 2\n`
    const fixings = page.getByRole('textbox', { name: 'Fixings' })
    await page.locator('input[type=file]').setInputFiles({
      name: 'euribor.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file),
    })
    await expect.poll(() => fixings.inputValue()).toBe(file)
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByText(/Line 3 is not a day and a rate/).waitFor()
    await fixings.fill(file.replace('about 2', '2,15'))
    await page.getByText('2 fixings').waitFor()
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    const table = page.getByRole('table', { name: 'Fixings' })
    await table.getByText('2.15%').waitFor()

    await page.getByRole('button', { name: 'Record fixings' }).click()
    await fixings.fill(`${addDays(today, -3)},2.25`)
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByText('is 2.15 %').first().waitFor()
    await page.getByLabel('Reason for a correction').fill('Two digits were reversed.')
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await table.getByText('Two digits were reversed.').waitFor()
    await table.getByText('2.25%').waitFor()
  })

  test('are followed by a product, and a loan shows what a reset would cost', async () => {
    const page = await kit.open('Omar', '/products/new')
    for (const [label, value] of [
      ['Name', 'Floating loan'],
      ['Version', '2026.1'],
      ['Product ID', 'prd_floating'],
      ['Class', 'consumer-loan'],
      ['Base rate in percent', '2.25'],
      ['Margin in percent', '3'],
    ] as const) {
      await page.getByLabel(label, { exact: false }).first().fill(value)
    }
    await page.getByRole('combobox', { name: 'Rate of loans' }).click()
    await page.getByRole('option', { name: 'Reset every three months' }).click()
    await page.getByText('On sale at once').click()
    await page.getByRole('button', { name: 'Create the product' }).click()
    await page.getByText('Which rate does it follow?').waitFor()
    await page.getByLabel('Reference rate').fill('EURIBOR-3M')
    await page.getByLabel('Highest rate in percent').fill('0,5')
    await page.getByLabel('Lowest rate in percent').fill('1')
    await page.getByRole('button', { name: 'Create the product' }).click()
    await page
      .getByLabel('Highest rate in percent')
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await page.getByLabel('Highest rate in percent').fill('9')
    await page.getByRole('button', { name: 'Create the product' }).click()
    await page.getByText('Quarterly, fixing of 2 days before, at least 1%, at most 9%').waitFor()

    const { body } = await kit.bank.graph(`mutation { openFacility(input: {
      facilityId: "loan_floating", customerId: "cus_ada", kind: CONSUMER_LOAN, productId: "prd_floating"
      limit: { amount: "12000.00", currency: "EUR" } ratePct: "5" installments: 24
      settlementArrangementId: "arr_ada_current" disburse: true }) { currentRatePct } }`)
    expect(body.errors).toBeUndefined()
    const liam = await kit.open('Liam', '/loans/loan_floating')
    const section = liam.getByRole('region', { name: 'Reference rate' })
    await section.getByText('The reference rate plus 2.75%, reset quarterly').waitFor()
    await section.getByLabel(/What if the reference rate were/).fill('3,25')
    await section.getByText(/the rate would be 6%/).waitFor()
    const interest = section.getByRole('row', { name: /Total interest/ })
    expect(await interest.innerText()).toMatch(/€\d/)
    await section.getByRole('link', { name: '3-month EURIBOR' }).click()
    await liam.getByRole('heading', { name: '3-month EURIBOR' }).waitFor()
    expect(await liam.getByRole('button', { name: 'Record fixings' }).count()).toBe(0)
    const ada = await kit.open('Ada', '/loans/loan_floating')
    await ada.getByText('The reference rate plus 2.75%, reset quarterly').waitFor()
  })

  test('inform the borrower of a reset, and the loan has the letter', async () => {
    const letters = await eventually(async () => {
      const { body } = await kit.bank.graph(`{ loan(loanId: "loan_grace_roof") { rateResets {
        letters { state } } } }`)
      const found = body.data.loan.rateResets.flatMap((reset: any) => reset.letters)
      return found[0]?.state === 'SENT' && found
    })
    expect(letters).toHaveLength(1)
    const liam = await kit.open('Liam', '/loans/loan_grace_roof')
    const resets = liam.getByRole('table', { name: 'Resets of the rate' })
    await resets.getByText('Sent').waitFor()
    await resets.getByRole('link', { name: 'Grace' }).waitFor()
    await resets.getByRole('link', { name: 'Letter' }).click()
    await liam.getByRole('heading', { name: /Change of the interest rate from/ }).waitFor()
  })

  test('a new version keeps the terms of interest that its form does not show', async () => {
    const page = await kit.open('Omar', '/products/prd_growth')
    await page
      .getByText(/up to €10,000.00: 2%; above: 3%, paid monthly, 25% tax withheld/)
      .waitFor()
    await page.getByRole('link', { name: 'New version' }).click()
    await page.getByText('keeps the terms of deposit interest').waitFor()
    await page.getByLabel('Version').fill('2090.1')
    await page.getByRole('button', { name: 'Create the version' }).click()
    await page.getByRole('region', { name: 'Version 2090.1' }).waitFor()
    const { body } = await kit.bank.graph(`{ products(productId: "prd_growth") { nodes {
      version depositInterest { tierMethod tiers { upTo { amount } annualRatePct } dayCount
        capitalization withholdingTaxPct } } } }`)
    const [former, next] = body.data.products.nodes
    expect(next.version).toBe('2090.1')
    expect(next.depositInterest).toEqual(former.depositInterest)
  })

  test('have pages without barriers for people with disabilities', async () => {
    const paths = [
      '/reference-rates',
      '/reference-rates?dialog=new',
      '/reference-rates/EURIBOR-3M',
      '/reference-rates/EURIBOR-3M?dialog=record',
      '/products/new?from=prd_floating+2026.1',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
    expect(await barriersOnPages(kit, 'Liam', ['/loans/loan_floating'])).toEqual([])
  }, 120_000)
})
