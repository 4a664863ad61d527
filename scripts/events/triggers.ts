import { randomBytes } from 'node:crypto'
import type { ServerClient } from './server.ts'

/**
 * Operations that create the records of a trigger. `$id` is new for each run, so that runs are
 * independent.
 */
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
const signedAgreement = [
  ...agreement,
  'mutation ($id: ID!) { sendAgreementForSignature(agreementId: $id) { agreementId } }',
  'mutation ($id: ID!) { signAgreement(agreementId: $id) { agreementId } }',
]
const notification = [
  party,
  'mutation ($id: ID!) { createNotification(input: { partyId: $id, channel: EMAIL, templateCode: "tpl_welcome", personalization: { name: "Trigger" } }) { notificationId } }',
]

/** The operations that cause an event, in their order, by event type. */
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
  'agreements.agreement.signed': signedAgreement,
  'accounts.arrangement.opened': account,
  'notifications.notification.queued': notification,
  'notifications.notification.delivered': notification,
}

/**
 * Causes an event in the sandbox by running the operations that lead to it. Throws an Error if the
 * type has no trigger, or if the bank rejects an operation.
 */
export async function trigger(
  server: ServerClient,
  type: string,
  print: (line: string) => void,
): Promise<void> {
  const steps = Object.hasOwn(triggers, type) ? triggers[type]! : null
  if (!steps) {
    throw new Error(
      `There is no trigger for ${type}. Use one of: ${Object.keys(triggers).join(', ')}.`,
    )
  }
  const id = `trg_${randomBytes(8).toString('hex')}`
  for (const step of steps) print(JSON.stringify(await server.queryGraph(step, { id })))
}
