import { randomBytes } from 'node:crypto'
import type { Server } from './server.ts'

/** Makes a party, customer and so on of one trigger; `$id` is new each time, so that nothing meets anything. */
const party = `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON, givenName: "Trigger", familyName: "Test",
  contactPoints: [{ channel: EMAIL, address: "trigger@example.com", verified: true }] }) { partyId } }`
const customer = [
  party,
  'mutation ($id: ID!) { createCustomer(input: { customerId: $id, partyId: $id }) { customerId } }',
]
const activeCustomer = [
  ...customer,
  'mutation ($id: ID!) { startKyc(customerId: $id) { customerId } }',
  'mutation ($id: ID!) { passKyc(customerId: $id, expiresOn: "2099-12-31") { customerId } }',
  'mutation ($id: ID!) { activateCustomer(customerId: $id) { customerId } }',
]
const account = [
  ...activeCustomer,
  'mutation ($id: ID!) { openAccountArrangement(input: { arrangementId: $id, customerId: $id, productId: "prd_current" }) { arrangementId } }',
]
const agreement = [
  party,
  'mutation ($id: ID!) { createAgreement(input: { agreementId: $id, partyId: $id, productCode: "prd_current", agreementType: "framework" }) { agreementId } }',
]
const signed = [
  ...agreement,
  'mutation ($id: ID!) { sendAgreementForSignature(agreementId: $id) { agreementId } }',
  'mutation ($id: ID!) { signAgreement(agreementId: $id) { agreementId } }',
]
const notification = [
  party,
  'mutation ($id: ID!) { createNotification(input: { partyId: $id, channel: EMAIL, templateCode: "tpl_welcome", personalization: { name: "Trigger" } }) { notificationId } }',
]

/** What has to be done for an event to happen, by its type: the bank's own operations, in their order. */
export const triggers: Readonly<Record<string, readonly string[]>> = {
  'parties.party.created': [party],
  'parties.party.deceased': [
    party,
    'mutation ($id: ID!) { recordDeath(partyId: $id, diedOn: "2026-01-01") { partyId } }',
  ],
  'parties.customer.created': customer,
  'parties.customer.kyc-passed': activeCustomer.slice(0, -1),
  'parties.customer.activated': activeCustomer,
  'agreements.agreement.created': agreement,
  'agreements.agreement.signed': signed,
  'accounts.arrangement.opened': account,
  'notifications.notification.queued': notification,
  'notifications.notification.delivered': notification,
}

/**
 * Makes an event happen in the sandbox, by doing what it tells of.
 * Throws what the bank refuses, and a type that nothing here leads to.
 */
export async function trigger(
  server: Server,
  type: string,
  print: (line: string) => void,
): Promise<void> {
  const steps = Object.hasOwn(triggers, type) ? triggers[type]! : null
  if (!steps) {
    throw new Error(`Nothing here leads to ${type}. Known: ${Object.keys(triggers).join(', ')}.`)
  }
  const id = `trg_${randomBytes(8).toString('hex')}`
  for (const step of steps) print(JSON.stringify(await server.ask(step, { id })))
}
