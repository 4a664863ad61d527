import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

let kit: ConsoleKit

describe.skipIf(!hasBrowser)('The explorer in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
  })

  test('runs an operation of a page as the person who is logged in, without storing a token', async () => {
    const page = await kit.open('Ada', '/accounts')
    await page.getByRole('table', { name: 'Accounts' }).waitFor()
    await page.getByRole('button', { name: 'Queries of this page' }).click()
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await page.getByRole('button', { name: 'Open in the explorer' }).click()
    const explorer = page.frameLocator('iframe[title=GraphiQL]')
    await explorer.getByText('query Accounts').first().waitFor({ timeout: 30_000 })
    const [response] = await Promise.all([
      page.waitForResponse(
        (answer) =>
          answer.url().endsWith('/graphql') &&
          (answer.request().postData() ?? '').includes('query Accounts'),
      ),
      explorer.getByRole('button', { name: /Execute query/ }).click(),
    ])
    const body = (await response.json()) as { data: object; errors?: object[] }
    expect(body.errors).toBeUndefined()
    expect(JSON.stringify(body.data)).toContain('arr_ada_current')
    expect(JSON.stringify(body.data)).not.toContain('arr_grace_current')
    // A request to another origin carries no token, even if the page were allowed to send it.
    const foreign: (string | undefined)[] = []
    await page.route('**/elsewhere/**', (route) => {
      foreign.push(route.request().headers()['authorization'])
      return route.fulfill({ body: '{}' })
    })
    await page.frame({ url: /graphiql/ })!.evaluate(() => fetch('/elsewhere/graphql'))
    expect(foreign).toEqual([undefined])
    const outside = page
      .frame({ url: /graphiql/ })!
      .evaluate(() => fetch('http://127.0.0.1:1/graphql').catch((error: Error) => error.message))
    expect(await outside).toBe('Failed to fetch')
    // The browser reports the request that the policy of the console refused.
    expect(kit.faults.splice(0).join()).toContain('Content Security Policy')
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(stored).not.toContain('eyJ')
    expect(page.url()).toBe(`${kit.bank.url}/console/explorer`)
  }, 60_000)
})
