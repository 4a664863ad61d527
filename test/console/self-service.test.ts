import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
const page = '/products/prd_savings?tab=self-service'

async function isOffered(): Promise<boolean> {
  const { body } = await kit.bank.graph('{ depositOffers { productId } }')
  const offers = body.data.depositOffers as { productId: string }[]
  return offers.some(({ productId }) => productId === 'prd_savings')
}

describe.skipIf(!hasBrowser)('Self-service in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('one employee proposes that customers may open a product, and another one approves it', async () => {
    const omar = await kit.open('Omar', '/products/prd_savings')
    await omar.getByRole('tab', { name: 'Self-service' }).click()
    await omar.getByText('Only employees can open accounts of this product.').waitFor()
    await omar.getByText('Nobody has proposed a setting for this product.').waitFor()
    await omar.getByRole('button', { name: 'Propose to allow it' }).click()
    const dialog = omar.getByRole('dialog', { name: 'Propose to allow self-service' })
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await dialog.getByText('Required.').waitFor()
    await dialog.getByLabel('Reason').fill('Savings in the app')
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
    await omar.getByText('Self-service setting proposed').waitFor()
    await omar.getByRole('row', { name: /may open it.*Savings in the app.*Proposed/ }).waitFor()
    expect(await omar.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    expect(await isOffered()).toBe(false)

    const anna = await kit.open('Anna', '/')
    await anna.getByRole('link', { name: /^Start of self-service for prd_savings/ }).click()
    await anna.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByText('Customers can open accounts of this product.').waitFor()
    expect(await isOffered()).toBe(true)
  })

  test('self-service is stopped in the same way, unless the proposal is rejected', async () => {
    const omar = await kit.open('Omar', page)
    const propose = async () => {
      await omar.getByRole('button', { name: 'Propose to stop it' }).click()
      const dialog = omar.getByRole('dialog', { name: 'Propose to stop self-service' })
      await dialog.getByLabel('Reason').fill('Sales end')
      await dialog.getByRole('button', { name: 'Propose', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await propose()
    const anna = await kit.open('Anna', page)
    await anna.getByRole('button', { name: 'Reject', exact: true }).click()
    await anna.getByRole('row', { name: /may not open it.*Rejected/ }).waitFor()
    expect(await isOffered()).toBe(true)
    await propose()
    await anna.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByText('Only employees can open accounts of this product.').waitFor()
    expect(await isOffered()).toBe(false)
  })

  test('others see who decided and change nothing, and the page has no barriers', async () => {
    const tina = await kit.open('Tina', page)
    await tina.getByRole('row', { name: /may not open it.*Approved/ }).waitFor()
    expect(await tina.getByRole('button', { name: /^(propose|approve$|reject$)/i }).count()).toBe(0)
    const loan = await kit.open('Tina', '/products/prd_consumer_loan')
    await loan.getByRole('tab', { name: 'Campaigns' }).waitFor()
    expect(await loan.getByRole('tab', { name: 'Self-service' }).count()).toBe(0)
    expect(await barriersOnPages(kit, 'Omar', [page, `${page}&dialog=self-service`])).toEqual([])
  })
})
