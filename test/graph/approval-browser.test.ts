import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPasskeyBrowser } from '../oauth/passkey-browser.ts'
import { hasBrowser } from '../kit/browser.ts'
import { ada } from '../kit/platform.ts'
import { anApprovingBank, stop, type ApprovingBank } from './approval-kit.ts'

let bank: ApprovingBank

describe.skipIf(!hasBrowser)('A customer in a browser', () => {
  beforeAll(async () => {
    bank = await anApprovingBank()
  }, 120_000)
  afterAll(() => stop(bank))

  test('registers a passkey, approves a payment with it, and pays once', async () => {
    const browser = await aPasskeyBrowser()
    const { page } = browser
    const payment = { to: 'arr_grace_current', amount: '77.00', name: 'Grace Hopper' }
    expect((await bank.transfer(payment)).data.state).toBe('SETTLED')

    await page.goto(`${bank.bank.url}/oauth/passkeys`)
    await page.getByLabel('User name').fill('ada')
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByText('Your passkey is registered').waitFor()

    const { error } = await bank.transfer(payment)
    expect(error.code).toBe('APPROVAL_REQUIRED')
    await page.goto(error.approvalUrl)
    await page.getByRole('heading', { name: 'Approve: Payment' }).waitFor()
    expect(await page.locator('dd').allInnerTexts()).toEqual([
      '77.00 EUR',
      'Grace Hopper',
      'arr_grace_current',
      'arr_ada_current',
    ])
    const approve = page.getByRole('button', { name: 'Approve with a passkey' })
    await browser.setUserVerified(false)
    await approve.click()
    await page.getByText('The passkey was not used.').waitFor()
    expect((await bank.transfer(payment)).error.code).toBe('APPROVAL_REQUIRED')
    await browser.setUserVerified(true)
    await approve.click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect((await bank.transfer(payment)).data.state).toBe('SETTLED')
    expect((await bank.transfer(payment)).error.code).toBe('APPROVAL_REQUIRED')
    await browser.close()
  })
})
