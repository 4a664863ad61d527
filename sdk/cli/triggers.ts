import { randomBytes } from 'node:crypto'
import type { BankClient } from '../src/index.ts'
import { Failure } from './failure.ts'
import { setMembers } from './input.ts'

/**
 * Operations that create the records of a trigger. `$id` is new for each run, so that runs are
 * independent.
 */
const party = `mutation ($id: ID!, $givenName: Label = "Trigger", $familyName: Label = "Test", $email: Text! = "trigger@example.com") {
  createParty(input: { partyId: $id, kind: PERSON, givenName: $givenName, familyName: $familyName,
    contactPoints: [{ channel: EMAIL, address: $email, verified: true }] }) { partyId } }`
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
  'mutation ($id: ID!, $productId: ID! = "prd_current") { openAccountArrangement(input: { arrangementId: $id, customerId: $id, productId: $productId }) { arrangementId } }',
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
  'mutation ($id: ID!, $templateCode: Label! = "tpl_welcome", $personalization: JSONObject = { name: "Trigger" }) { createNotification(input: { partyId: $id, channel: EMAIL, templateCode: $templateCode, personalization: $personalization }) { notificationId } }',
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

/** What happened in one step of a trigger. */
export type StepResult = Record<string, unknown>

/**
 * Causes an event in the sandbox by running the operations that lead to it. `settings` set variables
 * of the operations, such as `givenName=Ada`. Throws a Failure if the type has no trigger, and what
 * the bank throws.
 */
export async function* trigger(
  bank: BankClient,
  type: string,
  settings: readonly string[],
): AsyncGenerator<StepResult, void> {
  const steps = Object.hasOwn(triggers, type) ? triggers[type]! : null
  if (!steps) {
    const known = Object.keys(triggers).join(', ')
    throw new Failure(`There is no trigger for ${type}. Use one of: ${known}.`)
  }
  const variables: Record<string, unknown> = { id: `trg_${randomBytes(8).toString('hex')}` }
  setMembers(variables, settings)
  const unknown = Object.keys(variables).filter(
    (name) => !steps.some((step) => hasVariable(step, name)),
  )
  if (unknown.length > 0) {
    const known = new Set(
      steps.flatMap((step) => [...step.matchAll(/\$(\w+):/g)].map(([, name]) => name)),
    )
    throw new Failure(`${type} has no ${unknown.join(', ')}. It has: ${[...known].join(', ')}.`)
  }
  for (const step of steps) {
    const own = Object.entries(variables).filter(([name]) => hasVariable(step, name))
    yield await bank.graph<StepResult, object>(step, Object.fromEntries(own))
  }
}

const hasVariable = (document: string, name: string): boolean => document.includes(`$${name}:`)
