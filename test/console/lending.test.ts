import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Lending in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('an extra payment is previewed beside today, and leaves two versions to compare', async () => {
    const ada = await kit.open('Ada', '/facilities/loan_ada/extra-payment')
    await ada.getByLabel('Amount in EUR').fill('2000')
    await ada.getByText(/A payment of €2,000.00 saves €[\d.]+ of interest/).waitFor()
    const saved = await ada.getByRole('row', { name: /Total interest/ }).innerText()
    await ada.getByRole('button', { name: 'Pay', exact: true }).click()
    await ada.waitForURL(/\/loans\/loan_ada/)
    await ada.goto(`${kit.bank.url}/console/loans/loan_ada?compare=1`)
    await ada.getByText('What changed since version 1').waitFor()
    expect(await ada.getByRole('row', { name: /Total interest/ }).innerText()).toBe(saved)
    const liam = await kit.open('Liam', '/facilities/loan_ada?tab=extra-payments')
    await liam.getByRole('button', { name: 'Reverse', exact: true }).click()
    await liam.getByText('as if the payment had not been made').waitFor()
    await liam.getByRole('button', { name: 'Reverse the extra payment' }).click()
    await liam.getByText('Extra payment reversed').waitFor()
    await liam.getByRole('table', { name: 'Extra payments' }).getByText('Reversed').waitFor()
  })

  test('a borrower saves the statement and the certificate of a loan', async () => {
    const ada = await kit.open('Ada', '/loans/loan_ada')
    const fact = ada.locator('div', { has: ada.getByText('Opened', { exact: true }) }).last()
    const opened = await fact.locator('time').getAttribute('datetime')
    await ada.getByRole('button', { name: 'Download statement' }).click()
    const offered = await ada.getByRole('menuitem', { name: /^Certificate/ }).allInnerTexts()
    const years = offered.map((text) => Number(/\d{4}/.exec(text)![0]))
    expect(years[0]).toBeGreaterThanOrEqual(Number(opened!.slice(0, 4)))
    await ada.keyboard.press('Escape')
    for (const [choice, name] of [
      ['Statement of the last year (PDF)', /^loan_ada-.*\.pdf$/],
      ['Spreadsheet (CSV)', /^loan_ada-.*\.csv$/],
      [/^Certificate of interest for \d+ \(PDF\)$/, /^loan_ada-\d{4}\.pdf$/],
    ] as const) {
      await ada.getByRole('button', { name: 'Download statement' }).click()
      const [download] = await Promise.all([
        ada.waitForEvent('download'),
        ada.getByRole('menuitem', { name: choice }).last().click(),
      ])
      expect(download.suggestedFilename()).toMatch(name)
      const content = readFileSync(await download.path(), 'latin1')
      expect(content.slice(0, 5)).toBe(choice.toString().includes('PDF') ? '%PDF-' : 'value')
    }
  })

  test('a borrower asks for relief, and an employee grants what was previewed', async () => {
    const ada = await kit.open('Ada', '/facilities/loan_ada/relief')
    await ada.getByLabel('What has changed').fill('Fewer hours at work')
    await ada.getByRole('button', { name: 'Submit the request' }).click()
    await ada.waitForURL(/\/hardship\/hrd_/)
    const liam = await kit.open('Liam', pathOf(ada))
    await liam.getByRole('button', { name: 'Start the review' }).click()
    await liam.getByLabel('Installment at most').fill('500')
    await liam.getByText('Additional cost for the borrower').waitFor()
    await liam.getByRole('button', { name: 'Record the decision' }).click()
    await liam.getByRole('heading', { name: 'Relief granted' }).waitFor()
    await ada.getByRole('heading', { name: 'Relief granted' }).waitFor()
  })

  test('an employee adds a guarantor, whose release takes a second person', async () => {
    const liam = await kit.open('Liam', '/loans/loan_grace?tab=obligors')
    await liam.getByText('Only the borrower is liable.').waitFor()
    await liam.getByRole('button', { name: 'Add an obligor' }).click()
    await liam.getByLabel('Party').fill('pty_ada')
    await liam.getByRole('button', { name: 'Add the obligor' }).click()
    await liam.getByText('An amount or a percentage.').waitFor()
    await liam.getByLabel('Maximum amount in EUR').fill('250')
    await liam.getByLabel('Signed document').fill('doc_guarantee')
    await liam.getByRole('button', { name: 'Add the obligor' }).click()
    await liam.getByText('Obligor added').waitFor()
    const obligors = liam.getByRole('table', { name: 'Co-borrowers and guarantors' })
    await obligors.getByText('€250.00').waitFor()
    await obligors.getByRole('button', { name: 'Release' }).click()
    await liam.getByLabel('Reason').fill('Secured otherwise')
    await liam.getByRole('button', { name: 'Propose the release' }).click()
    await liam.getByText('Release proposed').first().waitFor()
    const anna = await kit.open('Anna', '/loans/loan_grace?tab=obligors')
    await anna.getByRole('button', { name: 'Approve the release' }).click()
    await anna.getByText('Obligor released').waitFor()
    await anna.getByText('Released', { exact: true }).waitFor()
  })

  test('an employee waives what a late loan cost, and records what the borrower promises', async () => {
    const liam = await kit.open('Liam', '/loans/loan_grace')
    const charges = liam.getByRole('table', { name: 'Late charges' })
    await charges.getByRole('button', { name: 'Waive' }).click()
    await liam.getByText(/The bank gives up €[\d.]+ of installment 1/).waitFor()
    await liam.getByRole('button', { name: 'Waive the charges' }).click()
    await liam.getByText('Late charges waived').waitFor()
    await liam.getByText('Nothing has been charged.').waitFor()

    await liam.getByRole('button', { name: 'Pause late charges' }).click()
    await liam.getByRole('button', { name: 'Pause the charges' }).click()
    await liam.getByText('What is the last day without charges?').waitFor()
    await liam.getByLabel('Last day').fill(new Date().toISOString().slice(0, 10))
    await liam.getByRole('button', { name: 'Pause the charges' }).click()
    await liam.getByRole('table', { name: 'Pauses of late charges' }).waitFor()
    await liam.getByRole('button', { name: 'End the pause' }).click()
    await liam.getByText('Late charges apply again').waitFor()
    await liam.getByRole('button', { name: 'Pause late charges' }).waitFor()

    await liam.getByRole('button', { name: 'Promise a payment' }).click()
    await liam.getByLabel('Amount in EUR').fill('100')
    await liam.getByRole('button', { name: 'Record the promise' }).click()
    await liam.getByText('By when is it paid?').waitFor()
    await liam.getByLabel('Pay by').fill('2099-01-01')
    await liam.getByRole('button', { name: 'Record the promise' }).click()
    await liam
      .getByText(/The last day is 2099-01-01; it must be from/)
      .first()
      .waitFor()
    await liam.getByLabel('Pay by').fill(new Date().toISOString().slice(0, 10))
    await liam.getByRole('button', { name: 'Record the promise' }).click()
    await liam.getByText('Promise recorded').waitFor()
    await liam.goto(`${kit.bank.url}/console/arrears`)
    await liam.getByRole('row', { name: /€100.00 by/ }).waitFor()
    await liam.goto(`${kit.bank.url}/console/loans/loan_grace?tab=promises`)
    const promises = liam.getByRole('table', { name: 'Promises to pay' })
    await promises.getByRole('button', { name: 'Cancel' }).click()
    await promises.getByText('Cancelled').waitFor()
  })

  test('an employee asks for information, and the applicant changes the application and submits it', async () => {
    const liam = await kit.open('Liam', '/applications/app_submitted')
    await liam.getByRole('button', { name: 'Start the review' }).click()
    await liam.getByRole('button', { name: 'Ask for information' }).click()
    await liam.getByLabel('What the applicant must provide').fill('A lower amount, please')
    await liam.getByRole('button', { name: 'Return to the applicant' }).click()
    const ada = await kit.open('Ada', '/applications/app_submitted')
    await ada.getByRole('link', { name: 'Change and submit' }).click()
    await ada.getByText('A lower amount, please').waitFor()
    const amount = ada.getByLabel('Amount in EUR')
    const requested = Number((await amount.inputValue()).replace(',', ''))
    await amount.fill(String(requested - 500))
    await ada.getByLabel('Purpose').fill('A smaller boat')
    // The application was submitted without a consent, which the form requires.
    await ada.getByRole('button', { name: 'Submit', exact: true }).click()
    await ada.getByText('The bank needs your consent').waitFor()
    await ada.getByLabel('The bank may ask a credit bureau about me.').check()
    await ada.getByRole('button', { name: 'Submit', exact: true }).click()
    await ada.waitForURL(/\/applications\/app_submitted$/)
    await liam.getByText('A smaller boat').waitFor()
    expect(await amountOf('app_submitted')).toBe(requested - 500)
    await ada.goto(`${kit.bank.url}/console/applications/app_submitted/edit`)
    await ada.getByText('The bank is deciding').waitFor()
  })

  test('has no barriers for people with disabilities on its pages', async () => {
    const customerPaths = [
      '/loans',
      '/loans/loan_ada',
      '/facilities/fac_ada',
      '/facilities/loan_ada/extra-payment',
      '/facilities/loan_ada/payment-holiday',
      '/facilities/fac_ada/drawdown',
      '/applications',
      '/applications/new',
      '/applications/app_approved',
    ]
    const employeePaths = [
      '/loans',
      '/applications',
      '/applications/app_submitted',
      '/applications/app_submitted?dialog=decide',
      '/arrears',
      '/arrears?tab=losses',
      '/loans/loan_grace?tab=promises',
      '/loans/loan_grace?dialog=waive-1',
      '/loans/loan_grace?dialog=promise',
      '/hardship',
      '/collateral',
      '/collateral/col_ada_house',
    ]
    expect(await barriersOnPages(kit, 'Ada', customerPaths)).toEqual([])
    expect(await barriersOnPages(kit, 'Liam', employeePaths)).toEqual([])
  }, 120_000)
})

async function amountOf(applicationId: string): Promise<number> {
  const { body } = await kit.bank.graph(
    'query($id: ID!) { loanApplication(applicationId: $id) { requestedAmount { amount } } }',
    { id: applicationId },
  )
  return Number(body.data.loanApplication.requestedAmount.amount)
}

const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/console', '')
