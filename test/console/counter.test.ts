import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, ibanOf, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('At the counter', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a teller makes a stranger a customer with an account', async () => {
    const page = await kit.open('Tina', '/customers')
    await page.getByRole('link', { name: 'New customer' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Required.').waitFor()
    await page.getByLabel('Given name').fill('Emmy')
    await page.getByLabel('Family name').fill('Noether')
    await page.getByLabel('Date of birth').fill('1982-03-23')
    await page.getByLabel('Email').fill('emmy@example.com')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Emmy Noether' }).waitFor()
    await page.getByRole('button', { name: 'Make a customer' }).click()
    await page.getByRole('button', { name: 'Start the identity check' }).click()
    await page.getByRole('button', { name: 'The identity is proven' }).click()
    await page.getByRole('button', { name: 'Record the result' }).click()
    await page.getByRole('button', { name: 'Activate the customer' }).click()
    await page.getByRole('link', { name: 'Open an account' }).click()
    await page.getByLabel('Nickname').fill('Household')
    await page.getByRole('button', { name: 'Open the account' }).click()
    await page.getByRole('heading', { name: 'Household' }).waitFor()
    expect(await page.getByText('Emmy Noether').count()).toBeGreaterThan(0)
  })

  test('finds a customer by name and an account by its number or ID', async () => {
    const page = await kit.open('Tina')
    const find = async (text: string, hit: RegExp) => {
      await page.keyboard.press('/')
      await page.getByPlaceholder('A name, an IBAN, an amount or any ID').fill(text)
      await page.getByRole('button', { name: hit }).waitFor()
      await page.keyboard.press('Enter')
    }
    await find('lovel', /Ada Lovelace/)
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    const iban = await ibanOf(kit, 'arr_ada_current')
    await find(iban.replace(/(.{4})/g, '$1 '), new RegExp(iban))
    await page.getByRole('heading', { name: 'Everyday' }).waitFor()
    const amount = '{ amount: "87.65", currency: "EUR" }'
    const accounts = `debtorArrangementId: "arr_ada_current", creditorArrangementId: "arr_grace_current"`
    await kit.bank.graph(
      `mutation { createTransfer(input: { ${accounts}, amount: ${amount} }) { paymentId } }`,
    )
    await find('87,65', /87.65 to/)
    await page.getByRole('heading', { name: 'Everyday' }).waitFor()
    await page.getByRole('tab', { name: 'Payments', selected: true }).waitFor()
    await find('pty_grace', /pty_grace/)
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  })

  test('a blocked account pays nothing until it is unblocked', async () => {
    const page = await kit.open('Tina', '/accounts/arr_grace_current')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Block the account' }).click()
    await page.getByLabel('Reason').fill('A lost card.')
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByRole('button', { name: 'Unblock' }).waitFor()
    expect(await page.getByRole('link', { name: 'Send money' }).count()).toBe(0)
    await page.getByRole('definition').getByText('A lost card.').waitFor()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('link', { name: 'Send money' }).waitFor()
  })

  test('a standing order is set up, paused and canceled', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_current?tab=standing-orders')
    await page.getByRole('link', { name: 'New standing order' }).click()
    await page.getByLabel('IBAN of the recipient').fill(await ibanOf(kit, 'arr_ada_savings'))
    await page.getByLabel('Name of the recipient').fill('Rainy day')
    await page.getByLabel('Amount in EUR').fill('15')
    await page.getByRole('button', { name: 'Set up' }).click()
    const row = page.getByRole('row', { name: /Rainy day/ })
    await row.getByText('Active').waitFor()
    expect(await row.innerText()).toContain('€15.00')
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('Paused').waitFor()
    await row.getByRole('button', { name: 'Cancel' }).click()
    await row.getByText('Cancelled').waitFor()
  })

  test('the clock moves a month, and the bank catches up', async () => {
    const page = await kit.open('Omar', '/operations')
    await page.getByRole('button', { name: 'Advance a month' }).click()
    await page.getByText('Last move:').waitFor()
    const clock = page.getByRole('region', { name: 'Clock' })
    await clock.getByText('Completed').waitFor({ timeout: 45_000 })
    await page.goto(`${kit.bank.url}/console/ledger`)
    await page.getByText('All invariants hold').waitFor()
    await page.getByText('Difference €0.00').first().waitFor()
  }, 90_000)

  test('an auditor sees the log-ins, and nothing that changes the bank', async () => {
    const page = await kit.open('Aron', '/access')
    await page.getByRole('table', { name: 'Log-ins and rights' }).waitFor()
    await page.getByText('aron').first().waitFor()
    await page.goto(`${kit.bank.url}/console/operations`)
    await page.getByText('Bank time').waitFor()
    expect(await page.getByRole('button', { name: /Advance|Run/ }).count()).toBe(0)
  })
})
