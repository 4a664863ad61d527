import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webClient } from '../../host/secrets.ts'
import { barriersOn, aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The log-ins of a person', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('name the browser, and one of them is ended from another', async () => {
    const lost = await kit.openAlone('Ada')
    const page = await kit.openAlone('Ada')
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Your log-ins and apps' }).click()
    const browsers = page.getByRole('table', { name: 'Browsers' })
    await browsers.getByRole('cell', { name: 'Chrome on Linux' }).first().waitFor()
    expect(await browsers.getByRole('cell', { name: '127.0.0.1' }).count()).toBe(2)
    expect(await barriersOn(page)).toEqual([])
    // The newest is the one that shows the page.
    await browsers.getByRole('button', { name: 'Log out' }).last().click()
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    // The other browser keeps its token until it is loaded again, and then has to log in.
    await lost.reload()
    await lost.getByRole('button', { name: /^Ada\b/ }).waitFor()
    await page.reload()
    await browsers.waitFor()
  })

  test('show a connected app in the words of the consent page, and disconnect it', async () => {
    const page = await kit.openAlone('Ada')
    const client = webClient(['http://127.0.0.1:3000'])
    const authorize = new URL(`${kit.bank.url}/oauth/authorize`)
    authorize.search = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: client.redirect_uris[0]!,
      scope: 'accounts:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString()
    await page.goto(authorize.href)
    const callback = page.waitForRequest(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/)
    await page.getByRole('button', { name: 'Allow' }).click()
    await callback
    // No app listens there.
    await page.waitForURL('chrome-error://**')
    await page.goto(`${kit.bank.url}/console/log-ins`)
    const apps = page.getByRole('table', { name: 'Connected apps' })
    await apps.getByText('See your accounts').waitFor()
    await apps.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No app acts for you.').waitFor()
  })
})
