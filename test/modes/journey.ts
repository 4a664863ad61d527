import { eventually } from '../kit/eventually.ts'
import { queryGraph, listenTo, type JsonAnswer, type RunningPlatform } from './kit.ts'

const steps = `
mutation Party { createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Eve",
  familyName: "Moneypenny", contactPoints: [
    { channel: SECURE_MESSAGE, address: "inbox", verified: true }] }) { partyId displayName } }
mutation Customer { createCustomer(input: { customerId: "cus_eve", partyId: "pty_eve" }) {
  customerId party { displayName } } }
mutation Agreement { createAgreement(input: { agreementId: "agr_eve", partyId: "pty_eve",
  productCode: "prd_current", agreementType: "current-account" }) {
  agreementId status party { displayName } } }
mutation Template { createNotificationTemplate(input: { templateId: "tpl_hello",
  templateCode: "hello", channel: SECURE_MESSAGE, status: "active" }) { templateId templateCode } }
mutation Again { createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Other",
  familyName: "Person" }) { partyId } }`

const selection = `type subjectId subject {
  ... on Party { displayName customers { customerId } }
  ... on Agreement { status party { displayName } }
  ... on Notification { templateCode party { displayName agreements(first: 5) { nodes { agreementId } } } } }`
const types = `["parties.party.created", "agreements.agreement.created", "notifications.notification.queued"]`
const feed = `{ businessEvents(first: 50, types: ${types}) { nodes { ${selection} } } }`
const subscription = `subscription { businessEvents(types: ${types}, after: "0") { ${selection} } }`

const message = (sendAt?: string) => ({
  partyId: 'pty_eve',
  channel: 'secure-message',
  templateCode: 'hello',
  subject: 'Hello',
  personalization: { message: 'Welcome, Eve.' },
  ...(sendAt && { sendAt }),
})

/** The responses of one platform, by step. */
export type JourneyRecord = Record<string, unknown>

/**
 * The same business day on any deployment. Responses are recorded without values that differ from
 * run to run.
 */
export async function journey(bank: RunningPlatform): Promise<JourneyRecord> {
  const journal: JourneyRecord = {}
  const token = bank.token()
  const note = (what: string, answer: JsonAnswer) => {
    const isReplayed = answer.headers.get('idempotent-replayed')
    // The position depends on how many events were written so far, which differs between two banks.
    const { extensions: _, ...body } = answer.body
    journal[what] = plain({ status: answer.status, isReplayed, body })
    return answer
  }
  const graph = (query: string, options: { operationName?: string; as?: string } = {}) => {
    const { operationName, as = token } = options
    return queryGraph(`${bank.live}/graphql`, as, { query, operationName })
  }
  for (const [, operationName] of steps.matchAll(/^mutation (\w+)/gm)) {
    note(operationName!, await graph(steps, { operationName: operationName! }))
  }
  const notifications = `${bank.live}/notifications`
  const key = { 'idempotency-key': 'journey-1' }
  const sent = note('notification', await queryGraph(notifications, token, message(), key))
  const replayed = note('replay', await queryGraph(notifications, token, message(), key))
  journal['the replay is the answer'] = isSame(sent.body, replayed.body)
  const other = { ...message(), subject: 'Other' }
  note('key reused', await queryGraph(notifications, token, other, key))
  note(
    'no scope',
    await queryGraph(notifications, bank.token({ scope: 'parties:read' }), other, key),
  )

  const events = await eventually(async () => {
    const answer = await graph(feed)
    return answer.body.data?.businessEvents.nodes.length === 3 && answer
  })
  note('join of three subgraphs', events)
  journal['subscription'] = plain(await listenTo(bank.live, token, subscription, 3))
  const outsider = bank.token({ partyId: 'pty_stranger' })
  note('a stranger', await graph('{ party(partyId: "pty_eve") { displayName } }', { as: outsider }))

  const id = sent.body.notificationId as string
  const delivered = `{ notification(notificationId: "${id}") { status party { displayName } } }`
  const last = await eventually(async () => {
    const answer = await graph(delivered)
    return /DELIVERED|FAILED|SUPPRESSED/.test(answer.body.data?.notification.status) && answer
  })
  note('delivered', last)
  return journal
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The value without generated ids, timestamps and URLs. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://…')
  return JSON.parse(text) as unknown
}
