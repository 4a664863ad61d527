import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOn, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

/** The accessible name of what has the focus. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const name = element?.getAttribute('aria-label') ?? labels[0]?.textContent
    return (name ?? element?.textContent ?? '').trim()
  })

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focusedName(page)).startsWith(name)) return
  }
  throw new Error(`Nothing named ${name} can be reached with Tab.`)
}

const pressAll = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe.skipIf(!hasBrowser)('The console without a mouse', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('an officer finds an application and decides on it', async () => {
    const liam = await kit.open('Liam')
    await liam.getByRole('heading', { level: 1 }).waitFor()
    await pressAll(liam, 'g', 'p')
    const submitted = liam.getByRole('link', { name: 'Ada Lovelace', exact: true })
    await submitted.first().waitFor()
    await pressAll(liam, 'j', 'Enter')
    await liam.getByRole('heading', { name: 'Loan application' }).waitFor()
    await tabTo(liam, 'Decide')
    await liam.keyboard.press('Enter')
    await liam.getByRole('dialog').waitFor()
    await tabTo(liam, 'Record the decision')
    await liam.keyboard.press('Enter')
    await liam.getByText('Decision recorded: Approved').waitFor()
  }, 60_000)

  test('one person writes to an assistant, another one approves', async () => {
    const ada = await kit.open('Ada')
    await ada.getByRole('heading', { level: 1 }).waitFor()
    await pressAll(ada, 'g', 'i')
    await ada.getByRole('button', { name: 'Begin', exact: true }).waitFor()
    await tabTo(ada, 'Begin')
    await ada.keyboard.press('Enter')
    await ada.getByLabel('Your message').waitFor()
    await tabTo(ada, 'Your message')
    await ada.keyboard.type('Transfer 3.00 from arr_ada_current to arr_ada_savings')
    await ada.keyboard.press('Enter')
    await ada.getByText('This waits for the approval of another person').waitFor()
    const anna = await kit.open('Anna')
    await anna.getByRole('heading', { level: 1 }).waitFor()
    await pressAll(anna, 'g', 'v')
    await anna.getByRole('region', { name: 'Transfer' }).waitFor()
    await tabTo(anna, 'Approve')
    await anna.keyboard.press('Enter')
    await anna.getByText('Nothing waits').waitFor()
    await ada.getByText(/^The transfer pay_\w+ is settled\.$/).waitFor()
  }, 60_000)

  test('the shortcuts are shown, and turned off for people who dictate', async () => {
    const omar = await kit.open('Omar')
    await omar.getByRole('heading', { level: 1 }).waitFor()
    await omar.keyboard.press('?')
    const dialog = omar.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Live events').waitFor()
    expect(await barriersOn(omar)).toEqual([])
    await tabTo(omar, 'Single keys act')
    await pressAll(omar, 'Space', 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await pressAll(omar, 'g', 'b', '?')
    await omar.waitForTimeout(300)
    expect(new URL(omar.url()).pathname).toBe('/console/')
    expect(await dialog.count()).toBe(0)
    await omar.keyboard.press('Control+k')
    await omar.getByPlaceholder('A name, an IBAN').waitFor()
  }, 60_000)

  test('letters that are typed into a field stay there', async () => {
    const tina = await kit.open('Tina', '/customers')
    await tina.getByRole('textbox', { name: 'Search' }).first().click()
    await tina.keyboard.type('gaj?')
    await tina.waitForTimeout(300)
    expect(new URL(tina.url()).pathname).toBe('/console/customers')
    expect(await tina.getByRole('dialog').count()).toBe(0)
  }, 60_000)
})
