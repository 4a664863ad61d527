import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, barriersOnPages, ibanOf, type ConsoleKit } from './kit.ts'
import { readPdf } from '../domain/kernel/pdf-reader.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('logs a customer in with one click, and shows the accounts and their balances', async () => {
    const page = await kit.open('Ada')
    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await page.getByRole('link', { name: 'Everyday' }).click()
    await page.getByRole('heading', { name: 'Everyday', level: 1 }).waitFor()
    expect(await page.getByText('€15,406.25').count()).toBeGreaterThan(0)
    await page
      .getByRole('img', { name: /Balance/ })
      .or(page.locator('.recharts-surface'))
      .first()
      .waitFor()
  })

  test('sends the query of the first page once, ahead of the page', async () => {
    const page = await kit.open('Ada')
    await page.getByText('Available:').first().waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/console/graphql')) sent.push(operationOf(request.postData()))
    })
    await page.reload()
    await page.getByText('Available:').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(sent).toEqual(['CustomerHome'])
    await page.getByRole('button', { name: 'Queries of this page' }).click()
    await page.getByRole('dialog').getByText('CustomerHome').first().waitFor()
  })

  test('pays once although the button is clicked twice and the page is loaded again', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_current/transfer')
    const accountNumber = await ibanOf(kit, 'arr_grace_current')
    await page.getByLabel('IBAN of the recipient').fill(accountNumber)
    await page.getByLabel('Name of the recipient').fill('Grace Hopper')
    await page.getByLabel('Amount').fill('12.34')
    await page.reload()
    expect(await page.getByLabel('Amount').inputValue()).toBe('12.34')
    await page.getByRole('button', { name: 'Send money' }).dblclick()
    await page.getByText('Payment settled').waitFor()
    expect(await paymentsOf('12.34')).toHaveLength(1)
  })

  test('pays once although the answer to the first attempt is lost', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_current/transfer')
    const accountNumber = await ibanOf(kit, 'arr_grace_current')
    let lost = 0
    await page.route('**/graphql', async (route) => {
      const isTransfer = route.request().postData()?.includes('CreateTransfer')
      if (!isTransfer || lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByLabel('IBAN of the recipient').fill(accountNumber)
    await page.getByLabel('Amount').fill('43.21')
    await page.getByRole('button', { name: 'Send money' }).click()
    await page.getByText('Payment settled').waitFor()
    expect(lost).toBe(1)
    expect(await paymentsOf('43.21')).toHaveLength(1)
  })

  test('shows what the bank says about a value at its field, with the ID of the request', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_current/transfer')
    await page.getByLabel('IBAN of the recipient').fill('GB00WRONG')
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Send money' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/INVALID_IBAN[\s\S]*Request [0-9a-f-]{36}/)
    expect(await page.getByLabel('IBAN of the recipient').getAttribute('aria-invalid')).toBe('true')
  })

  test('saves the statement of an account as a file', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_current')
    await page.getByRole('button', { name: 'Download statement' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Spreadsheet (CSV)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^arr_ada_current-.*\.csv$/)
    const content = await readFile(await download.path(), 'utf8')
    expect(content).toMatch(/^booking_date,value_date,amount,[\s\S]*Salary/)
    await page.getByRole('button', { name: 'Download statement' }).click()
    const [printed] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'To read and print (PDF)' }).click(),
    ])
    const pdf = await readPdf(await readFile(await printed.path()))
    expect(pdf.texts.join(' ')).toMatch(/Account holder: ?Ada[\s\S]*Salary[\s\S]*Closing balance/)
  })

  const account = '/accounts/arr_ada_current'
  test.each([
    [
      'Ada',
      [
        '/',
        '/accounts',
        account,
        `${account}?tab=payments`,
        `${account}?tab=standing-orders`,
        `${account}?tab=authorizations`,
        `${account}/transfer`,
        `${account}/standing-order`,
      ],
    ],
    [
      'Tina',
      [
        '/customers',
        '/customers/new',
        '/customers/pty_ada',
        '/customers/pty_ada?tab=rights',
        '/customers/pty_ada?tab=timeline',
        `${account}?dialog=block`,
      ],
    ],
    ['Omar', ['/', '/operations', '/ledger', '/access', '/events']],
  ])(
    'has no barriers for people with disabilities on the pages of %s',
    async (person, paths) => {
      expect(await barriersOnPages(kit, person, paths)).toEqual([])
    },
    120_000,
  )
})

const operationOf = (body: string | null): string =>
  body === null ? '' : (JSON.parse(body) as { operationName: string }).operationName

async function paymentsOf(amount: string): Promise<unknown[]> {
  const { body } = await kit.bank.graph(
    '{ payments(arrangementId: "arr_ada_current", first: 100) { nodes { amount { amount } } } }',
  )
  const payments = body.data.payments.nodes as { amount: { amount: string } }[]
  return payments.filter((payment) => payment.amount.amount === amount)
}
