import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Products in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('are found by name and class, and show where their versions differ', async () => {
    const page = await kit.open('Tina', '/products')
    await page.getByRole('textbox', { name: 'Search' }).fill('everyday')
    await page.getByText('Easy access savings').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Everyday current account' }).click()
    await page.getByText(/The versions differ in 1 of \d+ terms/).waitFor()
    const fee = page.getByRole('row', { name: /Fee account/ })
    expect(await fee.innerText()).toMatch(/differs[\s\S]*€4.50, monthly, waived: segment student/)
    await page.getByRole('row', { name: /^Name/ }).waitFor()
    expect(await page.getByRole('row', { name: /^Name/ }).innerText()).not.toContain('differs')
    expect(await page.getByRole('link', { name: 'New version' }).count()).toBe(0)
  })

  test('get a new version from the terms of the former one, which it supersedes', async () => {
    const page = await kit.open('Omar', '/products/prd_current')
    await page.getByRole('link', { name: 'New version' }).click()
    await page.getByRole('button', { name: 'Create the version' }).click()
    await page.getByText('A year and a month').waitFor()
    await page.getByLabel('Version').fill('2026.1')
    await page.getByRole('button', { name: 'Create the version' }).click()
    await page.getByText('PRODUCT_VERSION_EXISTS').waitFor()
    expect(await page.getByLabel('Version').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Version').fill('2026.9')
    await page.getByLabel('Value').fill('5.25')
    await page.getByRole('button', { name: 'Create the version' }).click()
    await page.getByRole('region', { name: 'Version 2026.9' }).getByText('Draft').first().waitFor()
    await page.getByRole('button', { name: 'Put on sale' }).click()
    await page.getByRole('button', { name: 'Suspend the sale' }).click()
    await page.getByRole('button', { name: 'Resume the sale' }).click()
    await page.getByRole('button', { name: 'Suspend the sale' }).waitFor()
    const { data } = await graph(`{ products(productId: "prd_current") {
      nodes { version status fees { amount { amount } waivers { kind } } } } }`)
    const versions = data.products.nodes as { version: string; status: string; fees: unknown }[]
    expect(versions.find(({ version }) => version === '2026.2')?.status).toBe('SUPERSEDED')
    expect(versions.find(({ version }) => version === '2026.9')).toMatchObject({
      status: 'ACTIVE',
      fees: [{ amount: { amount: '5.25' }, waivers: [{}, {}] }],
    })
  })

  test('have a price while a person types, which becomes a quote and an offer', async () => {
    const page = await kit.open('Omar', '/products/prd_consumer_loan?tab=quote')
    const price = page.getByRole('region', { name: 'Price' })
    await price.getByText('5.9%').first().waitFor()
    await page.getByLabel('Amount').fill('12000')
    await page.getByLabel('Term in months').fill('12')
    await page.getByLabel('Discount in percent').fill('0.4')
    await price.getByText('5.5%').first().waitFor()
    await price.getByText('€1,030.04').waitFor()
    await page.getByLabel('Amount').fill('99999')
    await price.getByText('AMOUNT_OUT_OF_RANGE').waitFor()
    await page.getByRole('button', { name: 'Save the quote' }).click()
    await page.getByLabel('Amount').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Amount').fill('12000')
    await page.getByLabel('Customer number').fill('cus_ada')
    await page.getByRole('button', { name: 'Save the quote' }).click()
    await page.getByLabel('Channel').fill('branch')
    await page.getByRole('button', { name: 'Offer to the customer' }).click()
    const offer = page.getByRole('row', { name: /branch/ })
    await offer.getByText('Ada Lovelace').waitFor()
    await offer.getByRole('button', { name: 'Publish' }).click()
    await offer.getByText('Active').waitFor()
    await offer.getByRole('button', { name: 'Withdraw' }).click()
    await offer.getByText('Withdrawn').waitFor()
  })

  test('are promoted by a campaign that is drafted, activated and ended', async () => {
    const page = await kit.open('Omar', '/campaigns/new?product=prd_savings')
    await page.getByLabel('Name').fill('Spring')
    await page.getByLabel('First day').fill('2030-03-31')
    await page.getByLabel('Last day').fill('2030-03-01')
    await page.getByRole('button', { name: 'Create the campaign' }).click()
    await page.getByText('A discount, waived fees, or both.').waitFor()
    await page.getByLabel('Discount in percent').fill('0.25')
    await page.getByRole('button', { name: 'Create the campaign' }).click()
    await page.getByLabel('Last day').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Last day').fill('2030-04-30')
    await page.getByRole('button', { name: 'Create the campaign' }).click()
    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('button', { name: 'End early' }).click()
    await page.getByText('Ended').waitFor()
    await page.goto(`${kit.bank.url}/console/campaigns?status=ENDED`)
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    expect(await page.getByRole('row', { name: /Spring/ }).innerText()).toContain('0.25%')
  })

  test('have pages without barriers for people with disabilities', async () => {
    const paths = [
      '/products',
      '/products?status=RETIRED',
      '/products/new',
      '/products/new?from=prd_current+2026.2',
      '/products/prd_current',
      '/products/prd_consumer_loan?tab=quote',
      '/products/prd_consumer_loan?tab=offers',
      '/products/prd_current?tab=campaigns',
      '/campaigns',
      '/campaigns/new',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
  }, 120_000)
})

const graph = async (text: string) => (await kit.bank.graph(text)).body
