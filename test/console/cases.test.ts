import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('Casework in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a case goes from the board to its end, and the customer answers in between', async () => {
    const ada = await kit.open('Ada', '/cases')
    await ada.getByRole('link', { name: 'New request' }).click()
    await ada.getByRole('button', { name: 'Send the request' }).click()
    await ada.getByText('Required.').waitFor()
    await ada.getByLabel('Title').fill('A payment twice')
    await ada.getByRole('button', { name: 'Send the request' }).click()
    await ada.waitForURL(/\/cases\/case_/)
    const carl = await kit.open('Carl', '/cases')
    const board = (status: string) => carl.getByRole('region', { name: status, exact: true })
    const card = board('Open').getByRole('listitem').filter({ hasText: 'A payment twice' })
    await card.getByText('Due in 4 days').waitFor()
    await card.getByRole('button', { name: 'Start' }).click()
    await board('In progress').getByRole('link', { name: 'A payment twice' }).click()
    await carl.getByRole('button', { name: 'Ask the customer' }).click()
    await carl.getByLabel('Question').fill('On which day?')
    await carl.getByRole('button', { name: 'Wait for the answer' }).click()
    await carl.getByText('Paused, 4 days left').waitFor()
    await ada.getByText('On which day?').waitFor()
    await ada.getByLabel('What do you want to tell the bank?').fill('On Monday.')
    await ada.getByRole('button', { name: 'Send to the bank' }).click()
    await carl.getByText('On Monday.').waitFor()
    await carl.getByLabel('Note', { exact: true }).fill('She calls often.')
    await carl.getByRole('button', { name: 'Add the note' }).click()
    await carl.getByRole('row', { name: /She calls often.*The bank only/s }).waitFor()
    await carl.getByRole('button', { name: 'Resolve' }).click()
    await carl.getByLabel('Outcome').fill('It was reversed.')
    await carl.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await carl.locator('#content').getByRole('button', { name: 'Close' }).click()
    await ada.getByText('Closed').first().waitFor()
    expect(await ada.getByText('It was reversed.').count()).toBeGreaterThan(0)
    expect(await ada.getByText('She calls often.').count()).toBe(0)
  })

  test('a case is assigned, found by type and agent, and linked to a record', async () => {
    const page = await kit.open('Carl', '/cases/case_ada')
    await page.getByRole('button', { name: 'Link a record' }).click()
    await page.getByRole('textbox', { name: 'Record' }).fill('nonsense')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await page
      .getByRole('textbox', { name: 'Record' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await page.getByRole('textbox', { name: 'Record' }).fill('loan/loan_ada')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await page
      .getByRole('region', { name: 'About' })
      .getByRole('link', { name: 'Loan loan_ada' })
      .waitFor()
    await page.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: /Mary Somerville/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('definition').filter({ hasText: 'Mary Somerville' }).waitFor()
    await page.goto(`${kit.bank.url}/console/cases?assignee=agt_mary&type=SERVICING`)
    await page.getByRole('link', { name: 'Change of address' }).waitFor()
    await page.getByRole('button', { name: 'This is me' }).click()
    await page.goto(`${kit.bank.url}/console/cases?type=FRAUD`)
    await page.getByText('Nothing waits to be started.').waitFor()
    await page.getByRole('button', { name: 'Mine' }).click()
    await page.waitForURL(/assignee=agt_mary/)
  })

  test('a customer sends a document, and an employee reads it, adds a version and holds it', async () => {
    const ada = await kit.open('Ada', '/documents')
    await ada.getByRole('button', { name: 'Add a document' }).click()
    await ada.getByRole('button', { name: 'Attach' }).click()
    await ada.getByText('Choose a file.').waitFor()
    await choose(ada, 'salary.txt', 'Ada earns enough.')
    await ada.getByText('salary.txt was received.').waitFor()
    expect(await ada.getByLabel('Title').inputValue()).toBe('salary')
    await ada.getByRole('button', { name: 'Attach' }).click()
    await ada.getByRole('link', { name: 'salary', exact: true }).waitFor()
    expect(await contentOf(ada, 'salary')).toBe('Ada earns enough.')
    expect(await ada.getByRole('button', { name: 'Place a legal hold' }).count()).toBe(0)

    const tina = await kit.open('Tina', '/customers/pty_ada?tab=documents')
    await tina.getByRole('link', { name: 'salary', exact: true }).click()
    await tina.getByRole('button', { name: 'Add a version' }).click()
    await choose(tina, 'salary-2.txt', 'Ada earns more.')
    await tina.getByText('salary-2.txt was received.').waitFor()
    await tina.getByRole('dialog').getByRole('button', { name: 'Add the version' }).click()
    await tina.getByRole('row', { name: /salary-2.txt/ }).waitFor()
    expect(await contentOf(tina, 'salary, version 2')).toBe('Ada earns more.')
    await tina.getByRole('button', { name: 'Place a legal hold' }).click()
    await tina.getByLabel('Reason').fill('A lawsuit')
    await tina.getByRole('button', { name: 'Place the hold' }).click()
    await tina.getByRole('definition').filter({ hasText: 'A lawsuit' }).waitFor()
    await tina.getByRole('button', { name: 'Release the legal hold' }).click()
    await tina.getByRole('button', { name: 'Place a legal hold' }).waitFor()
  })

  test('an upload that fails says why, and can be repeated', async () => {
    const page = await kit.open('Ada', '/cases/case_ada?dialog=attach')
    let failures = 0
    await page.route('**/document-contents**', (route) =>
      failures++ === 0 ? route.abort('connectionreset') : route.continue(),
    )
    await choose(page, 'letter.txt', 'Hello')
    await page.getByText('No answer from the bank').waitFor()
    await choose(page, 'long.txt', 'x'.repeat(10_500_000))
    await page.getByText('The file is too large', { exact: true }).waitFor()
    await page.getByText('“long.txt” has 10.5 MB, and the bank accepts at most 10 MB.').waitFor()
    await choose(page, 'again.txt', 'Hello')
    await page.getByText('again.txt was received.').waitFor()
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByRole('link', { name: 'again', exact: true }).waitFor()
  })

  test('has no barriers for people with disabilities on its pages', async () => {
    const employee = [
      '/cases',
      '/cases?view=list',
      '/cases?view=list&status=WITHDRAWN',
      '/cases/new?party=pty_ada',
      '/cases/case_ada',
      '/cases/case_ada?dialog=assign',
      '/cases/case_ada?dialog=attach',
      '/documents/doc_ada_letter',
      '/customers/pty_ada?tab=cases',
      '/customers/pty_ada?tab=documents',
      '/customers/pty_ada?tab=contacts',
      '/customers/pty_ada?tab=offers',
    ]
    const customer = ['/cases', '/cases/new', '/cases/case_ada', '/documents']
    expect(await barriersOnPages(kit, 'Carl', employee)).toEqual([])
    expect(await barriersOnPages(kit, 'Ada', customer)).toEqual([])
  }, 120_000)
})

const choose = (page: Page, name: string, text: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Downloads a file, and returns what is in it. */
async function contentOf(page: Page, title: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${title}`, exact: true }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}
