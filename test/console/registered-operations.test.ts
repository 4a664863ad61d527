/** The console of a sandbox that accepts only registered operations, of which none is the console's. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConsole, type ConsoleKit } from './kit.ts'
import { hasBrowser } from '../kit/browser.ts'

describe.skipIf(!hasBrowser)('Where only registered operations are accepted', () => {
  let kit: ConsoleKit
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bankgraph-lists-'))
    const file = join(folder, 'none.json')
    const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations: [] }
    await writeFile(file, JSON.stringify(manifest))
    kit = await aConsole({ SANDBOX_PERSISTED_QUERY_LISTS: file })
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('the console reads, and follows events', async () => {
    const page = await kit.open('Ada', '/accounts/arr_ada_savings')
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.getByText('300.00').first().waitFor()
    const { body } = await kit.bank.rest('POST', '/v1/posting-instructions', {
      debtorArrangementId: 'arr_grace_current',
      creditorArrangementId: 'arr_ada_savings',
      amount: '12.34',
    })
    expect(body.status).toBe('accepted')
    // The balance changes without a reload: the subscription is registered, too.
    await page.getByText('312.34').first().waitFor({ timeout: 20_000 })
    expect(refused).toEqual([])
  })

  test('a session of the console cannot send another operation', async () => {
    const page = await kit.open('Ada', '/accounts')
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/console/graphql')),
      page.reload(),
    ])
    const handle = (await request.allHeaders())['x-console-session']!
    const outcome = await page.evaluate(async (session) => {
      const answer = await fetch('/console/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console-session': session },
        body: JSON.stringify({ query: '{ me { partyId dateOfBirth } }' }),
      })
      return { status: answer.status, body: await answer.json() }
    }, handle)
    expect(outcome).toMatchObject({
      status: 403,
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }] },
    })
  })
})
