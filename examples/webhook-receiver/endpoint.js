/** The registration of this receiver at the bank. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientCredentials, createBankClient } from '@bankgraph/client'
import { folder } from './inbox.js'

const url = process.env.BANK_URL ?? 'http://127.0.0.1:4001/v1'
const file = join(folder, 'endpoint.json')
const eventTypes = ['parties.*', 'payments.*', 'lending.*']

/**
 * Returns the secret with which the bank signs deliveries to an address. At the first start, subscribes
 * and registers the address.
 * @param {string} address
 * @returns {Promise<string>}
 */
export async function registerEndpoint(address) {
  const known = await readFile(file, 'utf8').then(JSON.parse, () => null)
  if (known?.address === address) return known.secret
  const bank = createBankClient({
    url,
    tokens: clientCredentials({
      issuer: new URL(url).origin,
      clientId: process.env.CLIENT_ID ?? '',
      clientSecret: process.env.CLIENT_SECRET ?? '',
      scope: 'events:read events:subscribe',
    }),
  })
  // Subscribed before the address is stored as registered, and once, even if the program stops here.
  for (const eventType of eventTypes) {
    const idempotencyKey = `webhook-receiver/${eventType}`
    await bank.createEventSubscription({ eventType }, { idempotencyKey })
  }
  const { registerWebhookEndpoint: registered } = await bank.graph(
    `mutation Register($url: Text!) {
      registerWebhookEndpoint(input: { url: $url, description: "Example" }) { secret }
    }`,
    { url: address },
  )
  // The bank shows the secret once.
  await writeFile(file, JSON.stringify({ address, secret: registered.secret }), { mode: 0o600 })
  return registered.secret
}
