import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { eventually } from '../kit/eventually.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
/** The month of the business date, and the one before, which is soft closed in a new sandbox. */
let months: { current: string; last: string }

const monthAt = (date: string, distance: number) => {
  const [year, month] = date.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1 + distance)).toISOString().slice(0, 7)
}

async function act(document: string): Promise<any> {
  const { body } = await kit.bank.graph(document)
  expect(body.errors).toBeUndefined()
  return body.data
}

const loadRate = (rate: string, asOf: string) =>
  act(`mutation { loadExchangeRates(rates: [{ baseCurrency: "EUR", quoteCurrency: "USD"
    rate: "${rate}", source: "TEST", asOf: "${asOf}" }]) { rate } }`)

/** Saves the file behind an entry of a menu, and returns its name and its text. */
async function download(page: Page, menu: string, entry: string) {
  await page.getByRole('button', { name: menu }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
  const file = await saved
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe.skipIf(!hasBrowser)('Month ends in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    const { environment } = await act('{ environment { businessDate } }')
    const { businessDate } = environment
    months = { current: monthAt(businessDate, 0), last: monthAt(businessDate, -1) }
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a month is closed, and two people reopen it', async () => {
    const { last } = months
    const nora = await kit.open('Nora', '/')
    const checks: string[] = []
    nora.on('request', (request) => {
      if (request.postData()?.includes('generalLedgerFindings')) checks.push(request.url())
    })
    await nora.goto(`${kit.bank.url}/console/month-ends?year=${last.slice(0, 4)}`)
    const runChecks = nora.getByRole('button', { name: 'Run the checks' })
    await runChecks.waitFor()
    await nora.getByText('The checks were not run since the last change.').waitFor()
    expect(checks).toEqual([])
    await runChecks.click()
    await nora.getByText('No findings').waitFor()
    expect(checks).toHaveLength(1)
    const row = nora.getByRole('row').filter({ has: nora.locator(`a[href$="${last}"]`) })
    await row.getByText('Soft closed').waitFor()
    await row.getByRole('link').click()
    await runChecks.click()
    await nora.getByText('The general ledger agrees with the ledger').waitFor()
    await nora.getByText('The bank has no positions in other currencies.').waitFor()
    await nora.getByRole('button', { name: 'Close the month' }).click()
    const dialog = nora.getByRole('dialog', { name: 'Close the month' })
    await dialog.getByRole('button', { name: 'Close the month' }).click()
    await nora.getByText('Month closed', { exact: true }).waitFor()
    await nora.getByText('Closed', { exact: true }).waitFor()

    await nora.getByRole('button', { name: 'Propose reopening' }).click()
    await nora.getByRole('button', { name: 'Propose', exact: true }).click()
    await nora.getByText('Required.').waitFor()
    await nora.getByLabel('Reason').fill('A late invoice')
    await nora.getByRole('button', { name: 'Propose', exact: true }).click()
    await nora.getByText('Reopening proposed by nora').waitFor()
    await nora.getByRole('button', { name: 'Withdraw the proposal' }).waitFor()
    expect(await nora.getByRole('button', { name: 'Reopen the month' }).count()).toBe(0)

    const anna = await kit.open('Anna', '/')
    await anna.getByRole('link', { name: /^Reopening of .* proposed by nora$/ }).click()
    await anna.getByText('A late invoice').waitFor()
    expect(await anna.getByRole('button', { name: 'Close the month' }).count()).toBe(0)
    await anna.getByRole('button', { name: 'Reopen the month' }).click()
    await anna.getByText('Month reopened').waitFor()
    await anna.getByText('Open', { exact: true }).waitFor()
  })

  test('an adjustment is proposed and posted by two people', async () => {
    const { last } = months
    const nora = await kit.open('Nora', `/month-ends/${last}`)
    await nora.getByRole('link', { name: 'New journal entry' }).click()
    expect(await nora.getByLabel('Accounting date').inputValue()).toContain(`${last}-`)
    const propose = nora.getByRole('button', { name: 'Propose the entry' })
    await propose.click()
    await nora.getByText('Which account?').first().waitFor()
    await nora.getByLabel('Description').fill('Accrued audit fees')
    for (const [index, account, amount] of [
      [0, '5900', '120'],
      [1, '2900', '110,00'],
    ] as const) {
      const line = nora.locator('.list-item').nth(index)
      await line.getByRole('combobox', { name: 'Account' }).fill(account)
      await nora.getByRole('option', { name: new RegExp(`^${account} `) }).click()
      await line.getByLabel('Amount').fill(amount)
    }
    await propose.click()
    await nora
      .getByText('The debits less the credits are 10.00 EUR; they must be zero.')
      .first()
      .waitFor()
    await nora.getByLabel('Amount').nth(1).fill('120')
    await propose.click()
    await nora.getByRole('heading', { name: 'Accrued audit fees' }).waitFor()
    await nora.getByText('Proposed', { exact: true }).first().waitFor()
    expect(await nora.getByRole('button', { name: 'Post' }).count()).toBe(0)

    const anna = await kit.open('Anna', '/')
    await anna.getByRole('link', { name: /^Journal entry proposed by nora: / }).click()
    await anna.getByRole('row', { name: /^5900 .* €120.00/ }).waitFor()
    await anna.getByRole('button', { name: 'Post' }).click()
    await anna.getByText('Posted', { exact: true }).waitFor()
    await anna.goto(`${kit.bank.url}/console/month-ends?tab=entries&state=POSTED`)
    await anna.getByRole('row', { name: /^Accrued audit fees .* Posted nora anna$/ }).waitFor()
  })

  test('the journal, its manifest and the reports are saved as files', async () => {
    const { last } = months
    const nora = await kit.open('Nora', `/month-ends/${last}`)
    const journal = await download(nora, 'Download the journal', 'Spreadsheet (CSV)')
    expect(journal.name).toBe(`journal-${last}.csv`)
    const rowCount = journal.text.trim().split('\r\n').length - 1
    expect(rowCount).toBeGreaterThan(10)
    const manifest = await download(nora, 'Download a manifest', 'Spreadsheet (CSV)')
    expect(manifest.name).toBe(`journal-${last}-manifest.json`)
    expect(JSON.parse(manifest.text)).toMatchObject({ rowCount })
    const report = await download(nora, 'Download a report', 'Trial balance (CSV)')
    expect(report.text).toMatch(/^accounting_period,account_number,/)
    expect(report.text).toContain(`${last},2100,Customer deposits`)
  })

  test('positions are revalued when the month has ended, again after a rate was corrected', async () => {
    const { current } = months
    const nora = await kit.open('Nora', `/month-ends/${current}`)
    const section = nora.getByRole('region', { name: 'Currency revaluation' })
    await section.getByText('Positions are revalued when the month has ended.').waitFor()
    expect(await nora.getByRole('button', { name: 'Close the month' }).count()).toBe(0)

    // The bank pays 100 EUR for 125 USD.
    const { environment } = await act('{ environment { now } }')
    await loadRate('1.25', environment.now)
    await act(`mutation { createPostingInstruction(input: { type: CUSTOM, entries: [
      { account: "nostro/USD", side: DEBIT, amount: "125.00" }
      { account: "fx-position/USD", side: CREDIT, amount: "125.00" }
      { account: "fx-position/EUR", side: DEBIT, amount: "100.00" }
      { account: "nostro/EUR", side: CREDIT, amount: "100.00" } ] }) { status } }`)
    const nextMonth = monthAt(current, 1)
    const lastDay = new Date(Date.parse(`${nextMonth}-01`) - 1).toISOString().slice(0, 10)
    await act(`mutation { advanceClock(to: "${nextMonth}-02T09:00:00Z") { businessDate } }`)
    await loadRate('1.3', `${lastDay}T23:59:10Z`)
    const positions = section.getByRole('table', { name: 'Positions in other currencies' })
    // 125 USD at 1.3 are 96.15 EUR. The positions follow a moment after the entries.
    const usd = positions.getByRole('row', { name: /^USD \$125.00 €100.00 .* €96.15 €0.00 -€3.85/ })
    await eventually(async () => {
      await nora.reload()
      return usd.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    }, 30_000)
    const book = section.getByRole('button', { name: 'Book the revaluation' })
    await book.click()
    await nora.getByText('Revaluation booked: -€3.85').waitFor()
    await section.getByText('Up to date').waitFor()
    await section.getByRole('row', { name: /nora .* -€3.85/ }).waitFor()
    expect(await book.count()).toBe(0)

    await loadRate('1.25', `${lastDay}T23:59:20Z`)
    await nora.reload()
    const runChecks = nora.getByRole('button', { name: 'Run the checks' })
    await runChecks.click()
    await nora.getByText(/^Outdated revaluation/).waitFor()
    await book.click()
    await nora.getByText('Revaluation booked: €3.85').waitFor()
    await nora.getByText('The checks were not run since the last change.').waitFor()
    await runChecks.click()
    await nora.getByText('No findings').waitFor()
  })

  test('auditors change nothing, others see nothing, and the pages have no barriers', async () => {
    const { current, last } = months
    const entries = '/month-ends?tab=entries'
    const paths = [entries, '/month-ends', `/month-ends/${current}`, `/month-ends/${last}`]
    expect(await barriersOnPages(kit, 'Aron', paths)).toEqual([])
    expect(await barriersOnPages(kit, 'Nora', ['/journal-entries/new'])).toEqual([])
    const aron = await kit.open('Aron', `/month-ends/${current}`)
    await aron.getByRole('table', { name: 'Booked revaluations' }).waitFor()
    expect(await aron.getByRole('button', { name: /close the month|reopen/i }).count()).toBe(0)
    const tina = await kit.open('Tina')
    expect(await tina.getByRole('link', { name: 'Month ends' }).count()).toBe(0)
  })
})
