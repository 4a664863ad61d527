import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit

/** Writes an active template for letters as two employees. */
async function writeTemplate({ bank }: ConsoleKit): Promise<void> {
  const [omar, anna] = ['omar', 'anna'].map((subject) => bank.token({ subject }))
  const write = `mutation { createNotificationTemplate(input: {
    templateId: "tpl_arrears", templateCode: "arrears", channel: SECURE_MESSAGE, category: SERVICE
    language: "en", subject: "Your payment is late", status: "in-review"
    body: "{{arrears}} {{currency}} for {{contractId}} has been due since {{pastDueSince}}."
    variables: [{ name: "arrears", type: STRING } { name: "currency", type: STRING }
      { name: "contractId", type: STRING } { name: "pastDueSince", type: STRING }] }) { status } }`
  const step = (name: string) =>
    `mutation { ${name}NotificationTemplate(templateId: "tpl_arrears") { status } }`
  for (const [document, token] of [
    [write, omar],
    [step('approve'), anna],
    [step('activate'), omar],
  ] as const) {
    const { body } = await bank.graph(document, {}, { token })
    expect(body.errors).toBeUndefined()
  }
}

describe.skipIf(!hasBrowser)('Collections in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    await writeTemplate(kit)
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('a strategy is proposed, looked at and approved, and its letters are sent', async () => {
    const omar = await kit.open('Omar', '/collections?tab=strategies')
    await omar.getByText('There is no strategy, so nothing is pursued.').waitFor()
    await omar.getByRole('link', { name: 'New strategy' }).click()
    const propose = omar.getByRole('button', { name: 'Propose the strategy' })
    await propose.click()
    await omar.getByText('A number of days.').waitFor()
    await omar.getByRole('combobox', { name: 'Minimum amounts' }).fill('20,00 eur')
    await omar.keyboard.press('Enter')
    await omar.getByLabel('Name of the step').fill('reminder')
    await omar.getByLabel('From days past due').fill('5')
    await omar.getByLabel('Template code').fill('arrears')
    await omar.getByRole('button', { name: 'Add a step' }).click()
    const second = omar.locator('.list-item').nth(1)
    await second.getByLabel('Name of the step').fill('reminder')
    await second.getByLabel('From days past due').fill('30')
    await second.getByRole('combobox', { name: 'Action' }).click()
    await omar.getByRole('option', { name: 'Open case' }).click()
    await second.getByRole('combobox', { name: 'Priority' }).click()
    await omar.getByRole('option', { name: 'High' }).click()
    await omar.getByLabel('Reason').fill('The first strategy')
    await propose.click()
    // The bank refuses two steps with the same name.
    await second.getByLabel('Name of the step').and(omar.locator('[aria-invalid=true]')).waitFor()
    await second.getByLabel('Name of the step').fill('case')
    await propose.click()
    await omar.getByRole('heading', { name: 'Collections strategy: all contracts' }).waitFor()
    await omar.getByText('€20.00').first().waitFor()
    await omar.getByRole('link', { name: 'New version' }).waitFor()
    expect(await omar.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

    const anna = await kit.open('Anna', '/collections?tab=strategies')
    await anna.getByRole('link', { name: 'All contracts' }).click()
    const next = anna.getByRole('region', { name: 'Next run' })
    await next.getByRole('row', { name: /Grace/ }).getByText('reminder').waitFor()
    await anna.getByRole('button', { name: 'Approve', exact: true }).click()
    await anna.getByText('Strategy approved').waitFor()

    await anna.goto(`${kit.bank.url}/console/collections`)
    const row = anna.getByRole('row', { name: /Grace/ })
    await row.getByRole('link', { name: /^\d+ days$/ }).click()
    await anna.getByRole('heading', { name: /^Arrears of Grace/ }).waitFor()
    const steps = anna.getByRole('table', { name: 'Steps' })
    await steps.getByText('Taken').waitFor()
    await steps.getByRole('link', { name: 'Letter' }).waitFor()
    await steps.getByRole('link', { name: 'Message' }).click()
    await anna.getByText(/for loan_grace has been due since/).waitFor()
  })

  test('a new version begins with the former one', async () => {
    const omar = await kit.open('Omar', '/collections?tab=strategies')
    await omar.getByRole('link', { name: 'All contracts' }).click()
    await omar.getByRole('link', { name: 'New version' }).click()
    await omar.getByText('20.00 EUR', { exact: true }).waitFor()
    expect(await omar.getByLabel('Name of the step').first().inputValue()).toBe('reminder')
    await omar.getByText('A segment', { exact: true }).click()
    await omar.getByLabel('Reason').fill('Fewer letters for mortgages')
    await omar.getByRole('combobox', { name: 'Segment' }).click()
    await omar.getByRole('option', { name: 'Mortgage' }).click()
    await omar.getByRole('button', { name: 'Remove the step' }).first().click()
    await omar.getByRole('button', { name: 'Propose the strategy' }).click()
    await omar.getByRole('heading', { name: 'Collections strategy: mortgage' }).waitFor()
    const rows = omar.getByRole('table', { name: 'Steps' }).getByRole('row')
    expect(await rows.count()).toBe(2)
    await rows.getByText('case', { exact: true }).waitFor()

    const anna = await kit.open('Anna', omar.url().split('/console')[1])
    await anna.getByRole('button', { name: 'Reject' }).click()
    await anna.getByText('Rejected', { exact: true }).waitFor()
    expect(await anna.getByRole('region', { name: 'Next run' }).count()).toBe(0)
  })

  test('customers see no collections, and the pages have no barriers', async () => {
    const { body } = await kit.bank.graph(
      '{ collectionsEpisodes { nodes { collectionsEpisodeId } } collectionsStrategies { nodes { collectionsStrategyId } } }',
      {},
      { token: kit.bank.token({ subject: 'anna' }) },
    )
    const [episode] = body.data.collectionsEpisodes.nodes
    const [strategy] = body.data.collectionsStrategies.nodes
    const paths = [
      '/collections',
      '/collections?tab=next',
      '/collections?tab=strategies',
      `/collections/${episode.collectionsEpisodeId}`,
      `/collections-strategies/${strategy.collectionsStrategyId}`,
      '/collections-strategies/new',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
    const ada = await kit.open('Ada')
    expect(await ada.getByRole('link', { name: 'Collections' }).count()).toBe(0)
  })
})
