import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Notifications in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a template is written with a preview, and approved by another person', async () => {
    const omar = await kit.open('Omar', '/notification-templates/new')
    await omar.getByLabel('Code').fill('tpl_card')
    await omar.getByLabel('Subject').fill('Your card')
    await omar.getByLabel('Body').fill('Dear {{ partyName }}, your {{ card }} is ready.')
    await omar.getByText('Declare card in variables.').waitFor()
    await omar.getByRole('button', { name: 'Add a variable' }).click()
    await omar.getByRole('textbox', { name: 'Name', exact: true }).fill('card')
    await omar.getByLabel('Value of card').fill('debit card')
    await omar.getByText('Dear Ada Lovelace, your debit card is ready.').waitFor()
    await omar.getByRole('button', { name: 'Create the draft' }).click()
    await omar.getByRole('button', { name: 'Submit for review' }).click()
    await omar.getByText('Somebody other than omar, the author').waitFor()
    expect(await omar.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    const path = new URL(omar.url()).pathname.replace('/console', '')
    const anna = await kit.open('Anna', path)
    await anna.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByRole('button', { name: 'Activate' }).click()
    await anna.getByRole('button', { name: 'Retire' }).waitFor()
  }, 60_000)

  test('a message that an employee sends appears in the inbox of the customer', async () => {
    const ada = await kit.open('Ada', '/notifications')
    await ada.getByRole('heading', { name: 'Your messages' }).waitFor()
    await ada.waitForTimeout(1000)
    const rows = ada.getByRole('link', { name: 'Welcome to the bank' })
    const before = await rows.count()
    const tina = await kit.open('Tina', '/notifications/new?party=pty_ada&template=tpl_welcome')
    await tina.getByRole('textbox', { name: 'name', exact: true }).fill('Countess')
    await tina.getByRole('button', { name: 'Send' }).click()
    await tina.getByText('Hello Countess, your account is open.').waitFor({ timeout: 20_000 })
    await tina.getByText('Delivered').first().waitFor({ timeout: 20_000 })
    await rows.nth(before).waitFor({ timeout: 20_000 })
    await rows.nth(before).click()
    await ada.getByText('Hello Countess, your account is open.').waitFor()
    await tina.goto(`${kit.bank.url}/console/notifications?status=DELIVERED&party=pty_ada`)
    await tina
      .getByRole('row', { name: /tpl_welcome.*Ada Lovelace/ })
      .first()
      .waitFor()
  }, 90_000)

  test('every page can be used by everybody', async () => {
    const paths = [
      '/notifications',
      '/notifications/new',
      '/notification-templates',
      '/notification-templates/tpl_branch_closing',
      '/mailbox/pty_ada',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
    expect(await barriersOnPages(kit, 'Omar', ['/notification-templates/new'])).toEqual([])
    expect(await barriersOnPages(kit, 'Ada', ['/notifications'])).toEqual([])
  }, 120_000)
})
