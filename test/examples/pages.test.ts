/** The examples with pages, in a real browser. */
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, theBrowser } from '../kit/browser.ts'
import { freePort } from '../kit/free-port.ts'
import { ada, eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { crashAt, examplesFor, type Examples } from './kit.ts'

let bank: Platform
const contexts: BrowserContext[] = []
let examples: Examples
const ports: number[] = []

describe.skipIf(!hasBrowser)('In a browser', () => {
  beforeAll(async () => {
    ports.push(await freePort(), await freePort())
    const origins = ports.map((port) => `http://127.0.0.1:${port}`)
    bank = await aSeededPlatform('sandbox', false, { WEB_APPS: origins.join(',') })
    examples = await examplesFor(bank)
  }, 120_000)
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await examples?.stop()
    await bank?.stop()
  })

  const openPage = async (): Promise<Page> => {
    const context = await (await theBrowser()).newContext({ locale: 'en-US' })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    return page
  }

  async function logIn(page: Page): Promise<void> {
    await page.getByLabel('User name').fill(ada.username)
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
  }

  async function balanceOf(account: string): Promise<number> {
    const { body } = await bank.graph(
      'query ($id: ID!) { accountArrangement(arrangementId: $id) { balances { committed } } }',
      { id: account },
    )
    return Number(body.data.accountArrangement.balances[0].committed)
  }

  test('the shop is paid once, although it crashed and the customer clicked twice', async () => {
    const env = { PORT: String(ports[0]), ORDERS_FOLDER: join(examples.folder, 'orders') }
    const address = `http://127.0.0.1:${ports[0]}`
    const before = await balanceOf('arr_grace_current')
    const page = await openPage()
    const order = async (number: number) => {
      await page.goto(address)
      await page.getByRole('button', { name: 'Order' }).nth(number).click()
      await page.getByText('Your order is not paid yet.').waitFor()
    }
    const pay = (tab: Page) => tab.getByRole('button', { name: 'Pay with your bank' }).click()
    const isPaid = (tab: Page) => tab.getByText('Thank you. Your order is paid').waitFor()

    // The bank executes the payment, and the shop dies before it knows.
    const dying = examples.start('web-shop', { ...env, ...crashAt('creditorArrangementId') })
    await dying.prints('The shop is open')
    await order(0)
    await pay(page)
    await logIn(page)
    await dying.ended
    expect(await balanceOf('arr_grace_current')).toBeCloseTo(before + 24, 2)

    const shop = examples.start('web-shop', env)
    await shop.prints('The shop is open')
    await page.goto(`${address}/order`)
    await page.getByText('We do not know yet').waitFor()
    await pay(page)
    await isPaid(page)
    expect(await balanceOf('arr_grace_current')).toBeCloseTo(before + 24, 2)

    // The next order is paid in two tabs at once.
    await order(0)
    const second = await page.context().newPage()
    await second.goto(`${address}/order`)
    await Promise.all([pay(page), pay(second)])
    await Promise.all([isPaid(page), isPaid(second)])
    expect(await balanceOf('arr_grace_current')).toBeCloseTo(before + 48, 2)

    // Ada cannot afford the other product.
    await order(1)
    await pay(page)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('status').textContent()).toBe('Your order is not paid yet.')

    // Another browser cannot finish a log-in that this one started.
    const stranger = await openPage()
    await stranger.goto(`${address}/callback?code=x&state=y`)
    await stranger.getByText('This log-in did not start in this browser.').waitFor()
    await shop.stop()
  })

  test('the app shows balances that change, and pays', async () => {
    const app = examples.start('customer-app', { PORT: String(ports[1]) })
    await app.prints('127.0.0.1')
    const page = await openPage()
    await page.goto(`http://127.0.0.1:${ports[1]}`)
    await page.getByRole('button', { name: 'Log in at your bank' }).click()
    await logIn(page)
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    const balances = page.getByRole('list', { name: 'Accounts' }).getByRole('status')
    const savings = async () => Number((await balances.nth(1).textContent())!.split(' ')[0])
    const before = await savings()

    // Money that moves elsewhere appears without a reload.
    await bank.rest('POST', '/v1/posting-instructions', {
      debtorArrangementId: 'arr_grace_current',
      creditorArrangementId: 'arr_ada_savings',
      amount: '7.00',
    })
    await eventually(async () => (await savings()) === before + 7, 20_000)

    const { body } = await bank.graph(
      '{ accountArrangement(arrangementId: "arr_ada_savings") { accountNumber } }',
    )
    await page.getByLabel('To the account').fill(body.data.accountArrangement.accountNumber)
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Amount').fill('3.00')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('Paid 3.00 EUR.').waitFor()
    await eventually(async () => (await savings()) === before + 10, 20_000)

    await page.getByLabel('To the account').fill(body.data.accountArrangement.accountNumber)
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Amount').fill('999999.00')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('There is not enough money in the account.').waitFor()
  })
})
