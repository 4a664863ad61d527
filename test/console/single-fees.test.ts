import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
const feesOfAccount = '/accounts/arr_served?tab=fees'

async function act(document: string): Promise<any> {
  const { body } = await kit.bank.graph(document)
  expect(body.errors).toBeUndefined()
  return body.data
}

/** An account of Ada with 50 EUR, under a product with two fees that employees charge. */
async function openServedAccount() {
  await act(`mutation { createProduct(input: {
    productId: "prd_served", name: "Served account", productClass: "current-account"
    status: "active", version: "2026.1", currencies: ["EUR"]
    fees: [
      { code: "notary", name: "Notarial certificate", frequency: ON_REQUEST
        amount: { amount: "40.00", currency: "EUR" }, thirdParty: "notary" }
      { code: "guarantee", name: "Guarantee of a rent", frequency: ON_REQUEST, percent: "2" }
    ] }) { productId } }`)
  await act(`mutation { openAccountArrangement(input: {
    arrangementId: "arr_served", customerId: "cus_ada", productId: "prd_served" }) { state } }`)
  await act(`mutation { createPostingInstruction(input: { arrangementId: "arr_served"
    direction: IN, amount: { amount: "50.00", currency: "EUR" } }) { status } }`)
}

describe.skipIf(!hasBrowser)('Single fees in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    await openServedAccount()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('an employee sees what a fee does, and charges it', async () => {
    const omar = await kit.open('Omar', '/accounts/arr_served')
    await omar.getByRole('tab', { name: 'Fees' }).click()
    await omar.getByText('No single fee was charged to the account.').waitFor()
    await omar.getByRole('button', { name: 'Charge a fee' }).click()
    const dialog = omar.getByRole('dialog', { name: 'Charge a fee' })
    const charge = dialog.getByRole('button', { name: 'Charge the fee' })
    await charge.click()
    await dialog.getByText('Which fee?').waitFor()
    const fee = dialog.getByRole('combobox', { name: 'Fee' })
    await fee.click()
    await omar.getByRole('option', { name: 'Notarial certificate' }).click()
    await dialog.getByText('The account pays the fee now.').waitFor()
    await dialog.getByText('The bank then owes the amount to notary.').waitFor()
    await dialog.getByLabel('Reason').fill('Certificate for the land register')
    await charge.click()
    await omar.getByText('€40.00 charged').waitFor()

    // Ten euros are left, and a percentage needs an amount.
    await omar.getByRole('button', { name: 'Charge a fee' }).click()
    await fee.click()
    await omar.getByRole('option', { name: 'Guarantee of a rent' }).click()
    await charge.click()
    await dialog.getByText('An amount such as 500.').waitFor()
    await dialog.getByLabel('Charged on this amount in EUR').fill('1000')
    await dialog.getByText(/^The account cannot pay now \(insufficient funds\)/).waitFor()
    await charge.click()
    await omar.getByText('€20.00 charged, of which €20.00 is owed').waitFor()
    const owed = omar.getByRole('row', { name: /Guarantee of a rent/ })
    await owed.getByText('Charged', { exact: true }).waitFor()
    expect(await owed.getByRole('cell').allTextContents()).toContain('€20.00')
    await omar.getByRole('row', { name: /for notary.*Certificate for the land register/ }).waitFor()
  })

  test('one employee proposes a refund, and another one approves or rejects it', async () => {
    const omar = await kit.open('Omar', feesOfAccount)
    const propose = async (fee: string, reason: string) => {
      const row = omar.getByRole('row', { name: new RegExp(fee) })
      await row.getByRole('button', { name: 'Propose a refund' }).click()
      const dialog = omar.getByRole('dialog', { name: 'Propose a refund' })
      await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
      await dialog.getByText('Required.').waitFor()
      await dialog.getByLabel('Reason').fill(reason)
      await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
      await row.getByText('Another person decides').waitFor()
      await dialog.waitFor({ state: 'detached' })
    }
    await propose('Notarial certificate', 'The certificate was not needed')
    await propose('Guarantee of a rent', 'Goodwill')
    expect(await omar.getByRole('button', { name: 'Approve' }).count()).toBe(0)

    const anna = await kit.open('Anna', '/')
    await anna.getByRole('link', { name: 'Refund of a fee: Notarial certificate' }).click()
    const rows = anna.getByRole('table', { name: 'Charged fees' }).getByRole('row')
    const certificate = rows.filter({ hasText: 'Notarial certificate' })
    await certificate.getByText('The certificate was not needed').waitFor()
    await certificate.getByRole('button', { name: 'Approve' }).click()
    await anna.getByText('Fee refunded').waitFor()
    await rows
      .filter({ hasText: 'Guarantee of a rent' })
      .getByRole('button', { name: 'Reject' })
      .click()
    await anna.getByText('Refund rejected').waitFor()
    await anna.getByText('No fee has this status.').waitFor()
    await anna.goto(`${kit.bank.url}/console/fees?status=REFUNDED`)
    await certificate.getByRole('link', { name: 'arr_served' }).click()
    // The refund pays what is owed for the other fee: 50 - 20.
    await anna.getByText('€30.00').first().waitFor()
  })

  test('customers see their fees and change nothing, and the pages have no barriers', async () => {
    const ada = await kit.open('Ada', feesOfAccount)
    await ada.getByRole('row', { name: /Notarial certificate.*Refunded/ }).waitFor()
    expect(await ada.getByRole('button', { name: /charge|refund/i }).count()).toBe(0)
    expect(await ada.getByRole('link', { name: 'Single fees' }).count()).toBe(0)
    const pages = ['/fees', '/fees?status=REFUND_PROPOSED', feesOfAccount]
    const paths = [...pages, `${feesOfAccount}&dialog=charge-fee`]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
    const aron = await kit.open('Aron', feesOfAccount)
    await aron.getByRole('row', { name: /Notarial certificate/ }).waitFor()
    expect(await aron.getByRole('button', { name: /charge|refund/i }).count()).toBe(0)
  })
})
