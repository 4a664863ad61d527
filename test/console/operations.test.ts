import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aReceiver, type Receiver } from '../subgraphs/events/receiver.ts'
import { hasBrowser } from '../kit/browser.ts'
import { aConsole, barriersOnPages, type ConsoleKit } from './kit.ts'

let kit: ConsoleKit
let receiver: Receiver
const endpointPath = '/webhooks/whk_console'

const createParty = (partyId: string) =>
  kit.bank.graph(
    `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "Nina", familyName: "Simone" }) { partyId } }`,
  )

describe.skipIf(!hasBrowser)('Operations in the console', () => {
  beforeAll(async () => {
    kit = await aConsole()
    receiver = await aReceiver((_got, response, nth) =>
      nth === 1
        ? response.writeHead(410, { 'content-type': 'text/plain' }).end('No such hook')
        : response.writeHead(204).end(),
    )
    const registered = await kit.bank.graph(
      `mutation ($url: Text!) { registerWebhookEndpoint(
        input: { endpointId: "whk_console", url: $url }) { endpoint { endpointId } } }`,
      { url: receiver.url },
    )
    expect(registered.body.errors).toBeUndefined()
    await kit.bank.graph(
      'mutation { createEventSubscription(input: { eventType: "parties.party.*" }) { subscriptionId } }',
    )
  }, 120_000)
  afterAll(async () => {
    expect(kit.faults).toEqual([])
    await kit.stop()
    await receiver.close()
  })

  test('a failed webhook of another program is found, understood and sent again', async () => {
    await createParty('pty_nina')
    const omar = await kit.open('Omar', '/webhooks')
    await omar.getByRole('link', { name: receiver.url }).click()
    await omar.getByText('Disabled', { exact: true }).waitFor({ timeout: 20_000 })
    await omar.getByRole('button', { name: 'Enable' }).click()
    await omar.getByRole('button', { name: 'Send a test event' }).waitFor()
    await omar.getByRole('link', { name: 'parties.party.created' }).first().click()
    const dialog = omar.getByRole('dialog', { name: 'Delivery' })
    await dialog.getByText('No such hook').waitFor()
    await dialog.getByText('Customer pty_nina').waitFor()
    await dialog.getByRole('button', { name: 'Send it again' }).click()
    await expect.poll(() => receiver.got.length, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(receiver.got.at(-1)!.event.subject).toBe('party/pty_nina')
  }, 90_000)

  test('rejected requests are listed, with what was tried', async () => {
    const token = kit.bank.token({ clientId: 'curious', scopes: ['products:read'] })
    await kit.bank.graph('{ jobs { name } }', {}, { token })
    const omar = await kit.open('Omar', '/access?tab=rejected')
    await expect
      .poll(
        async () => {
          await omar.reload()
          await omar.getByRole('table', { name: 'Rejected requests' }).waitFor()
          return omar.getByRole('row', { name: /jobs.*INSUFFICIENT_SCOPE.*curious/ }).count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
  }, 60_000)

  test('the requests of a program are shown with their bodies', async () => {
    const token = kit.bank.token({ clientId: 'shop' })
    const note = { partyId: 'pty_ada', channel: 'fax', templateCode: 'tpl_welcome' }
    await kit.bank.rest('POST', '/v1/notifications', note, { token, key: 'shop-1' })
    await kit.bank.rest('GET', '/v1/agreements', undefined, { token })
    const omar = await kit.open('Omar', '/access?tab=requests&program=shop')
    await expect
      .poll(
        async () => {
          await omar.reload()
          await omar.getByRole('table', { name: 'Requests' }).waitFor()
          return omar.getByRole('row', { name: /shop/ }).count()
        },
        { timeout: 20_000 },
      )
      .toBe(2)
    await omar.getByRole('switch', { name: 'Only with a problem' }).click()
    const row = omar.getByRole('row', { name: /createNotification.*VALIDATION_FAILED.*shop/ })
    await row.getByRole('button', { name: 'Show' }).click()
    const dialog = omar.getByRole('dialog', { name: 'createNotification' })
    await dialog.getByLabel('Sent').getByText('"channel": "fax"').waitFor()
    await dialog.getByText('shop-1').waitFor()
  }, 60_000)

  test('the changes of a record are one click away from its page', async () => {
    const omar = await kit.open('Omar', '/customers/pty_ada')
    await omar.getByRole('link', { name: 'Changes' }).click()
    await omar.getByRole('row', { name: /A party was created\./ }).waitFor()
    await omar.getByRole('link', { name: 'Customer pty_ada' }).waitFor()
  }, 60_000)

  test('every page can be used by everybody', async () => {
    const paths = [
      '/webhooks',
      endpointPath,
      '/access?tab=rejected',
      '/access?tab=requests',
      '/changes?subject=party/pty_ada',
    ]
    expect(await barriersOnPages(kit, 'Omar', paths)).toEqual([])
  }, 120_000)
})
