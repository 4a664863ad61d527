import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { addPasskeyDevice } from '../oauth/passkey-browser.ts'
import { aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The console with SECURITY_PROFILE=fapi2', () => {
  beforeAll(async () => {
    // Passkeys need a domain name.
    kit = await aConsole({ SECURITY_PROFILE: 'fapi2', HOST: 'localhost' })
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a customer logs in, registers a passkey, pays, and approves the payment', async () => {
    const page = await kit.window()
    await addPasskeyDevice(page)
    await kit.logIn(page, 'Ada', '/accounts')
    await page.getByRole('table', { name: 'Accounts' }).waitFor()
    await page.goto(`${kit.bank.url}/oauth/passkeys`)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByText('Your passkey is registered').waitFor()

    await pay(page)
    const approve = page.getByRole('link', { name: 'Approve with your passkey' })
    const approvalUrl = await approve.getAttribute('href')
    await page.goto(approvalUrl!)
    await page.getByRole('heading', { name: 'Approve: Payment' }).waitFor()
    await page.getByRole('button', { name: 'Approve with a passkey' }).click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    await pay(page)
    await page.waitForURL(/\/accounts\/arr_ada_current/)
    await page.getByText('77.00').first().waitFor()
  })

  test('live events arrive, and the tokens are bound to a key that the browser never has', async () => {
    const page = await kit.open('Omar', '/events')
    await page.getByText('Live', { exact: true }).waitFor()
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.endsWith('sandbox'))
    const tokens = await kit.tokensOf(cookie!.value)
    expect(tokens.type).toBe('DPoP')
    expect(tokens.proofKey).toMatchObject({ kty: 'EC', crv: 'P-256' })
    // The token alone is useless.
    const answer = await fetch(`${kit.bank.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: '{ environment { name } }' }),
    })
    expect(answer.status).toBe(401)
  })
})

/** Fills in and sends the form of a payment to Grace. */
async function pay(page: Page): Promise<void> {
  await page.goto(`${kit.bank.url}/console/accounts/arr_ada_current/transfer`)
  await page.getByLabel('Amount').fill('77.00')
  await page.getByLabel('IBAN of the recipient').fill(await iban('arr_grace_current'))
  await page.getByLabel('Name of the recipient').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Send money' }).click()
}

/** Bearer tokens, with which other tests ask the graph, are rejected in this profile. */
async function iban(arrangementId: string): Promise<string> {
  const { rows } = await kit.bank.bank.pool.query<{ account_number: string }>(
    'select account_number from accounts.arrangement where arrangement_id = $1',
    [arrangementId],
  )
  return rows[0]!.account_number
}
