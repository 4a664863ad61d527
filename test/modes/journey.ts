import { eventually } from '../kit/platform.ts'
import { ask, hear, type JsonAnswer, type RunningPlatform } from './kit.ts'

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

/** What one platform answered, step by step. */
export type Diary = Record<string, unknown>

/** The same day at the bank, whichever way it runs. Answers are kept without what differs from run to run. */
export async function journey(bank: RunningPlatform): Promise<Diary> {
  const diary: Diary = {}
  const token = bank.token()
  const note = (what: string, answer: JsonAnswer) => {
    const isReplayed = answer.headers.get('idempotent-replayed')
    // The position tells how many events there were so far: not the same in two banks.
    const { extensions: _, ...body } = answer.body
    diary[what] = plain({ status: answer.status, isReplayed, body })
    return answer
  }
  const graph = (query: string, options: { operationName?: string; as?: string } = {}) => {
    const { operationName, as = token } = options
    return ask(`${bank.live}/graphql`, as, { query, operationName })
  }
  for (const [, operationName] of steps.matchAll(/^mutation (\w+)/gm)) {
    note(operationName!, await graph(steps, { operationName: operationName! }))
  }
  const notifications = `${bank.live}/notifications`
  const key = { 'idempotency-key': 'journey-1' }
  const sent = note('notification', await ask(notifications, token, message(), key))
  const replayed = note('replay', await ask(notifications, token, message(), key))
  diary['the replay is the answer'] = isSame(sent.body, replayed.body)
  const other = { ...message(), subject: 'Other' }
  note('key reused', await ask(notifications, token, other, key))
  note('no scope', await ask(notifications, bank.token({ scope: 'parties:read' }), other, key))

  const events = await eventually(async () => {
    const answer = await graph(feed)
    return answer.body.data?.businessEvents.nodes.length === 3 && answer
  })
  note('join of three subgraphs', events)
  diary['subscription'] = plain(await hear(bank.live, token, subscription, 3))
  const stranger = bank.token({ partyId: 'pty_stranger' })
  note('a stranger', await graph('{ party(partyId: "pty_eve") { displayName } }', { as: stranger }))

  const id = sent.body.notificationId as string
  const delivered = `{ notification(notificationId: "${id}") { status party { displayName } } }`
  const last = await eventually(async () => {
    const answer = await graph(delivered)
    return /DELIVERED|FAILED|SUPPRESSED/.test(answer.body.data?.notification.status) && answer
  })
  note('delivered', last)
  return diary
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Without generated ids, moments and addresses. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://…')
  return JSON.parse(text) as unknown
}
