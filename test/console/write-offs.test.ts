import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
const account = '/accounts/arr_lost'

async function act(document: string): Promise<any> {
  const { body } = await kit.bank.graph(document)
  expect(body.errors).toBeUndefined()
  return body.data
}

const post = (direction: string, amount: string, more = '') =>
  act(`mutation { createPostingInstruction(input: { arrangementId: "arr_lost"
    direction: ${direction}, amount: { amount: "${amount}", currency: "EUR" } ${more} }) { status } }`)

describe.skipIf(!hasBrowser)('Write-offs of overdrafts in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    await act(`mutation { createProduct(input: { productId: "prd_plain", name: "Plain account"
      productClass: "current-account", status: "active", version: "2026.1", currencies: ["EUR"]
    }) { productId } }`)
    await act(`mutation { openAccountArrangement(input: { arrangementId: "arr_lost"
      customerId: "cus_ada", productId: "prd_plain" }) { state } }`)
    await post('OUT', '80.00', 'advice: true')
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('what is missing is said, and a write-off is proposed', async () => {
    const tina = await kit.open('Tina', account)
    const section = tina.getByRole('region', { name: 'Write-offs' })
    await section.getByText('The account is overdrawn. Nothing was written off.').waitFor()
    const open = section.getByRole('button', { name: 'Propose a write-off' })
    await open.click()
    const dialog = tina.getByRole('dialog', { name: 'Propose a write-off' })
    await dialog.getByText(/arr_lost is not blocked for debits/).waitFor()
    const propose = dialog.getByRole('button', { name: 'Propose the write-off' })
    expect(await propose.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await tina.getByRole('button', { name: 'More' }).click()
    await tina.getByRole('menuitem', { name: 'Block the account' }).click()
    await tina.getByRole('combobox', { name: 'What is blocked' }).click()
    await tina.getByRole('option', { name: 'Debit' }).click()
    await tina.getByRole('button', { name: 'Block', exact: true }).click()
    await tina.getByText('Blocked', { exact: true }).waitFor()

    await open.click()
    await dialog.getByText('€80.00').waitFor()
    await dialog.getByText('loan-losses/EUR').waitFor()
    await propose.click()
    await dialog.getByText('Why is it not expected to be repaid?').waitFor()
    await dialog.getByLabel('Reason').fill('Insolvent')
    await propose.click()
    await section.getByText('Another person decides', { exact: true }).waitFor()
    expect(await open.count()).toBe(0)
  })

  test('another person approves it, and what arrives is recovered', async () => {
    const cora = await kit.open('Cora', '/')
    await cora.getByRole('link', { name: 'Write-off of an overdraft proposed by tina' }).waitFor()
    await cora.goto(`${kit.bank.url}/console/arrears?tab=write-offs`)
    const row = cora.getByRole('row', { name: /arr_lost/ })
    await row.getByRole('button', { name: 'Approve' }).click()
    await cora.getByText('Overdraft written off').waitFor()
    await row.getByText('Approved', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'arr_lost' }).click()
    const section = cora.getByRole('region', { name: 'Write-offs' })
    await section
      .getByRole('row', { name: /by tina Insolvent Approved €80.00 €0.00 €80.00 cora/ })
      .waitFor()
    const recover = section.getByRole('button', { name: 'Book a recovery' })
    expect(await recover.count()).toBe(0)

    await post('IN', '50.00')
    await recover.click()
    const dialog = cora.getByRole('dialog', { name: 'Book a recovery' })
    const amount = dialog.getByLabel('Amount in EUR')
    expect(await amount.inputValue()).toBe('50.00')
    await amount.fill('60')
    await dialog.getByRole('button', { name: 'Book the recovery' }).click()
    await dialog.getByText('The account has 50.00 EUR; the amount is 60.00 EUR.').first().waitFor()
    await amount.fill('50')
    await dialog.getByRole('button', { name: 'Book the recovery' }).click()
    await cora.getByText('Recovery booked; €30.00 is left').waitFor()
    await section.getByRole('row', { name: /€80.00 €50.00 €30.00/ }).waitFor()
  })

  test('customers see no write-offs, and the pages have no barriers', async () => {
    const ada = await kit.open('Ada', account)
    await ada.getByRole('region', { name: 'Details' }).waitFor()
    expect(await ada.getByRole('region', { name: 'Write-offs' }).count()).toBe(0)
    const paths = [account, '/arrears?tab=write-offs']
    expect(await barriersOnPages(kit, 'Aron', paths)).toEqual([])
    const aron = await kit.open('Aron', account)
    const section = aron.getByRole('region', { name: 'Write-offs' })
    await section.getByRole('table').waitFor()
    expect(await section.getByRole('button').count()).toBe(0)
    // An account that was never overdrawn has no such section.
    const omar = await kit.open('Omar', '/accounts/arr_ada_current')
    await omar.getByRole('region', { name: 'Details' }).waitFor()
    expect(await omar.getByRole('region', { name: 'Write-offs' }).count()).toBe(0)
  })
})
